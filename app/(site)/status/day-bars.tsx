import { longDay } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { bars, barsWords, type ComponentHistory, type Day, dayRuns, daysOf, uptimeWords } from './words'

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
export function DayBars({ history, since }: DayBarsProps) {
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
export function Legend() {
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
