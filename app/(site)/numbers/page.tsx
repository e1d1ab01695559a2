import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { Cell, ColumnHead, FoldedTable, RowHead } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { type CountName, counts as names } from '@/lib/infrastructure/events/kinds/kind'
import { m } from '@/lib/kernel/messages'
import { day } from '@/lib/kernel/runtime/clock'
import { BarChart, WaterChart } from './chart'
import { changeWords, counts, dayWords, describe, number } from './words'

/** The values of the charts as tables. */
function HistoryTable({
  history: { days, counts: values, views },
}: {
  history: ResponseOf<'GET /beak/metrics/history'>
}) {
  return (
    <div className="mt-14 grid border-y border-line py-2">
      <FoldedTable title={m.numbers_the_counts_as_a_table()}>
        <thead>
          <tr>
            <ColumnHead>{m.numbers_day()}</ColumnHead>
            {names.map((name) => (
              <ColumnHead key={name}>{counts[name].short}</ColumnHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .map((day, index) => (
              <tr key={day} className="border-t border-line">
                <RowHead>{day}</RowHead>
                {names.map((name) => (
                  <Cell key={name}>{number(values[name][index] ?? 0)}</Cell>
                ))}
              </tr>
            ))
            .reverse()}
        </tbody>
      </FoldedTable>
      {views.length === 0 ? null : (
        <FoldedTable title={m.numbers_the_page_views_as_a_table()}>
          <thead>
            <tr>
              <ColumnHead>{views[0]?.days === 7 ? m.numbers_week_from() : m.numbers_day()}</ColumnHead>
              <ColumnHead>{m.numbers_page_views()}</ColumnHead>
            </tr>
          </thead>
          <tbody>
            {views
              .map(({ day, value }) => (
                <tr key={day} className="border-t border-line">
                  <RowHead>{day}</RowHead>
                  <Cell>{number(value)}</Cell>
                </tr>
              ))
              .reverse()}
          </tbody>
        </FoldedTable>
      )}
    </div>
  )
}

export const generateMetadata = (): Metadata => ({
  title: m.numbers_numbers(),
  description: m.numbers_page_description(),
})

interface PageProps {
  searchParams: Promise<{ span?: string | string[] }>
}

type History = ResponseOf<'GET /beak/metrics/history'>

const spans = { month: '30', quarter: '90', year: '365' } as const
type Span = keyof typeof spans
const spanLabels: Record<Span, string> = {
  get month() {
    return m.numbers_month()
  },
  get quarter() {
    return m.numbers_quarter()
  },
  get year() {
    return m.numbers_a_year()
  },
}

export default withProblemPage(async function NumbersPage({ searchParams }: PageProps) {
  const { span: given } = await searchParams
  const span: Span = typeof given === 'string' && Object.hasOwn(spans, given) ? (given as Span) : 'quarter'
  const current = await read('GET /beak/metrics')
  const history = await read('GET /beak/metrics/history', { query: { days: spans[span] } })
  const recordedDays = (Date.parse(current.as_of) - Date.parse(history.since)) / (day * 1000)
  const hasSpans = recordedDays > Number(spans.month)
  return (
    <>
      <PageHead title={m.numbers_numbers()} lead={m.numbers_page_intro()}>
        {hasSpans ? <Spans chosen={span} /> : null}
      </PageHead>
      <Ducklings history={history} />
      <div className="mt-16 grid gap-x-16 gap-y-12 md:grid-cols-2">
        {(['certified', 'bonded_agents', 'completed_pecks', 'domains'] as const).map((name) => (
          <Count key={name} name={name} history={history} />
        ))}
      </div>
      <Views history={history} />
      <HistoryTable history={history} />
      <p className="mt-10 text-sm text-soft">
        <Sentence
          of={m.numbers_freshness_note}
          parts={{
            time: () => <Time at={current.as_of} />,
            a: (children) => (
              <a href={withBasePath('/beak/metrics')} className="font-mono underline">
                {children}
              </a>
            ),
          }}
        />
      </p>
    </>
  )
})

function Spans({ chosen }: { chosen: Span }) {
  return (
    <nav aria-label={m.numbers_time_span()}>
      <ul className="inline-flex rounded-control border border-edge bg-surface p-0.5">
        {(Object.keys(spans) as Span[]).map((span) => (
          <li key={span}>
            <Link
              href={`/numbers?span=${span}`}
              aria-current={span === chosen ? 'page' : undefined}
              className="inline-flex min-h-11 items-center rounded-control px-4 text-sm font-semibold no-underline hover:bg-sunken aria-[current]:bg-ink aria-[current]:text-ground"
            >
              {spanLabels[span]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const ends = ({ days }: History) => ({
  from: days.length > 1 ? dayWords(days[0]) : '',
  to: days.length > 1 ? m.numbers_end_today() : m.numbers_end_day_today({ day: dayWords(days[0]) }),
})

function Ducklings({ history }: { history: History }) {
  const values = history.counts.registered_ducklings
  const { title, note } = counts.registered_ducklings
  return (
    <section
      aria-labelledby="registered_ducklings"
      className="grid items-end gap-x-16 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]"
    >
      <div>
        <h2 id="registered_ducklings">{title}</h2>
        <p className="mt-1 font-display text-3xl font-semibold">{number(values.at(-1) ?? 0)}</p>
        <p className="mt-2 text-sm text-soft">{note}</p>
        <p className="mt-4 text-sm">
          {history.days.length === 1
            ? m.numbers_recorded_since_today_history_starts_tomorrow()
            : changeWords(values, history.days[0])}
        </p>
      </div>
      <WaterChart
        id="chart-registered_ducklings"
        title={title}
        description={describe(values, history.days)}
        values={values}
        swimmer="DUCK-0QMJ"
        {...ends(history)}
      />
    </section>
  )
}

function Count({ name, history }: { name: CountName; history: History }) {
  const values = history.counts[name]
  const { title, note } = counts[name]
  return (
    <section aria-labelledby={name} className="border-t border-line pt-5">
      <div className="flex items-end justify-between gap-6">
        <div>
          <h2 id={name} className="text-lg">
            {title}
          </h2>
          <p className="text-sm text-soft">{note}</p>
        </div>
        <p className="text-end">
          <span className="font-display text-2xl font-semibold">{number(values.at(-1) ?? 0)}</span>
          <span className="block text-sm text-soft">
            {history.days.length === 1 ? '' : changeWords(values, history.days[0])}
          </span>
        </p>
      </div>
      {history.days.length === 1 ? null : (
        <WaterChart
          id={`chart-${name}`}
          title={title}
          description={describe(values, history.days)}
          values={values}
          {...ends(history)}
        />
      )}
    </section>
  )
}

/** Shown only when pages of this service record their views. */
function Views({ history: { views, step } }: { history: History }) {
  if (views.length === 0) return null
  const values = views.map(({ value }) => value)
  const total = values.reduce((sum, value) => sum + value, 0)
  return (
    <section aria-labelledby="views" className="mt-14 border-t border-line pt-5">
      <h2 id="views" className="text-lg">
        {m.numbers_page_views()}
      </h2>
      <p className="text-sm text-soft">
        {step === 1
          ? m.numbers_views_by_day({ total: number(total) })
          : m.numbers_views_by_week({ total: number(total) })}
      </p>
      <BarChart
        id="chart-views"
        title={m.numbers_page_views()}
        description={describe(
          values,
          views.map(({ day }) => day),
        )}
        values={values}
        from={dayWords(views[0]?.day)}
        to={step === 1 ? m.numbers_yesterday() : m.numbers_week_that_ended_yesterday()}
      />
    </section>
  )
}
