import { Cell, ColumnHead, FoldedTable, RowHead } from '@/components/ui/data-table'
import { Pill } from '@/components/ui/surface'
import { longDay } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'
import { DayBars, Legend } from './day-bars'
import {
  type ComponentHistory,
  type Condition,
  dayRuns,
  daysOf,
  type History,
  parts,
  reported,
  type Status,
  shownCondition,
  troubleWords,
  words,
} from './words'

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
        {since === null
          ? m.status_measured_once_a_minute()
          : m.status_measured_since({ since: longDay(since) })}
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
