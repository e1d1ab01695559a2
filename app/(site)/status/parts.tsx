import { Cell, ColumnHead, FoldedTable, RowHead } from '@/components/ui/data-table'
import { Pill } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { longDay } from '@/lib/kernel/text/time-words'
import {
  bars,
  barsWords,
  type ComponentHistory,
  type Condition,
  type Day,
  dayRuns,
  daysOf,
  type History,
  parts,
  reported,
  type Status,
  shownCondition,
  troubleWords,
  uptimeWords,
  words,
} from './words'

/** The height of the tallest bar. A day is 1 wide. */
const tallest = 36
const barWidth = 0.75

/** Returns the outlines of `count` bars from `start` on. */
function barsPath(condition: Day['condition'], start: number, count: number): string {
  const height = tallest * bars[condition].height
  return Array.from(
    { length: count },
    (_, at) => `M${start + at} ${tallest - height}h${barWidth}v${height}h-${barWidth}z`,
  ).join('')
}

interface DayBarsProps {
  history: ComponentHistory
  /** The first day that was measured. */
  since: string | null
}

/** One bar for each day, oldest first, and the uptime. Equal days that follow each other are one element, because there are many. */
function DayBars({ history, since }: DayBarsProps) {
  const { days } = history
  return (
    <div className="mt-4">
      <svg
        role="img"
        aria-label={barsWords(history)}
        viewBox={`0 0 ${days.length - 1 + barWidth} ${tallest}`}
        preserveAspectRatio="none"
        className="block h-9 w-full"
      >
        {dayRuns([history]).map((run) => {
          const condition = days[run.start]?.condition ?? 'no_data'
          return (
            <g key={run.first}>
              <title>{`${daysOf(run, longDay)}: ${run.words.join()}`}</title>
              <rect
                x={run.start}
                width={run.count}
                height={tallest}
                className="fill-none"
                pointerEvents="all"
              />
              <path d={barsPath(condition, run.start, run.count)} className={bars[condition].look} />
            </g>
          )
        })}
      </svg>
      <p className="mt-1.5 flex justify-between gap-4 text-xs text-soft">
        <span>{m.status_count_days_ago({ count: days.length })}</span>
        <span className="font-semibold text-ink tabular-nums">{uptimeWords(history, since)}</span>
        <span>{m.status_today()}</span>
      </p>
    </div>
  )
}

/** What the bars mean. */
function Legend() {
  return (
    <ul
      aria-label={m.status_what_the_bars_mean()}
      className="flex flex-wrap gap-x-6 gap-y-2 text-sm text-soft"
    >
      {(Object.keys(bars) as Day['condition'][]).map((condition) => (
        <li key={condition} className="flex items-center gap-2">
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${barWidth} ${tallest}`}
            preserveAspectRatio="none"
            className="h-5 w-2"
          >
            <path d={barsPath(condition, 0, 1)} className={bars[condition].look} />
          </svg>
          {bars[condition].label}
        </li>
      ))}
    </ul>
  )
}

interface PartsProps {
  components: Status['components']
  /** Null when it cannot be read. */
  history: History | null
}

/** Each part of the service: what it does, whether it works, and how it worked on each of the last days. */
export function Parts({ components, history }: PartsProps) {
  return (
    <>
      <ul className="divide-y divide-line border-y border-line">
        {components.map((component) => (
          <Part
            key={component.name}
            component={component}
            status={shownCondition(component.status, reported(history), component.name)}
            history={history?.components.find(({ name }) => name === component.name)}
            since={history?.since ?? null}
          />
        ))}
      </ul>
      {history === null ? null : <Explanation history={history} />}
    </>
  )
}

interface PartProps {
  component: Status['components'][number]
  status: Condition
  history: ComponentHistory | undefined
  since: string | null
}

function Part({ component, status, history, since }: PartProps) {
  const { title, role } = parts[component.name]
  return (
    <li className="py-5">
      <div className="flex items-center justify-between gap-6">
        <div>
          <h3 className="text-base">{title}</h3>
          <p className="text-sm text-soft">{status === 'operational' ? role : troubleWords(component)}</p>
        </div>
        <Pill tone={words[status].tone}>{words[status].label}</Pill>
      </div>
      {history === undefined ? null : <DayBars history={history} since={since} />}
    </li>
  )
}

function Explanation({ history: { since, components } }: { history: History }) {
  return (
    <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-3">
      <Legend />
      <p className="max-w-2xl text-sm text-soft">
        {since === null ? m.status_bars_help() : m.status_measured_since({ since: longDay(since) })}
      </p>
      <FoldedTable title={m.status_every_day_as_a_table()}>
        <thead>
          <tr>
            <ColumnHead>{m.status_day()}</ColumnHead>
            {components.map(({ name }) => (
              <ColumnHead key={name}>{parts[name].title}</ColumnHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {dayRuns(components).map((run) => (
            <tr key={run.first} className="border-t border-line">
              <RowHead>{daysOf(run)}</RowHead>
              {components.map(({ name }, at) => (
                <Cell key={name}>{run.words[at]}</Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </FoldedTable>
    </div>
  )
}
