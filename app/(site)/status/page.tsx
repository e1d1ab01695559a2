import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readersLocale } from '@/components/ui/time-words'
import { answerWith } from '@/lib/http/page-status'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { AutoRefresh } from './auto-refresh'
import { Incidents } from './incidents'
import { Parts } from './parts'
import { Scene } from './scene'
import { type History, latencyWords, overallWords, reported, type Status, shownCondition } from './words'

export const generateMetadata = (): Metadata => ({
  title: m.status_status(),
  description: m.status_whether_beak_works_right_now_part(),
})

/** Shows the state of the service. Works also when the database is down. */
export default withProblemPage(async function StatusPage() {
  const result = await api('GET /beak/system/status')
  if (!result.ok) {
    answerWith(result.problem.status, result.problem.retry_after)
    return (
      <div className="max-w-2xl">
        <h1>{m.status_the_status_could_not_be_checked()}</h1>
        <p className="mt-3 mb-6 text-lg text-soft">{explain(result.problem)}</p>
        <ButtonLink href="/status">{m.status_check_again()}</ButtonLink>
      </div>
    )
  }
  const status = result.data
  const history = await readHistory(status)
  const condition = shownCondition(status.status, reported(history), null)
  const { title, text } = overallWords(condition, status.components)
  return (
    <>
      <div className="mb-14 grid items-end gap-x-16 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
        <div role="status">
          <h1 className="text-3xl">{title}</h1>
          <p className="mt-4 max-w-xl text-lg text-soft">{text}</p>
        </div>
        <Scene condition={condition} />
      </div>
      <Figures status={status} />
      <Section id="parts" title={m.status_part_by_part()}>
        <Parts components={status.components} history={history} />
      </Section>
      <Section id="incidents" title={m.status_incidents()}>
        {history === null ? (
          <p className="text-soft">{m.status_history_cant_be_read_right_now()}</p>
        ) : (
          <Incidents incidents={history.incidents} now={readClock()} />
        )}
      </Section>
      <p className="text-sm text-soft">
        <Sentence
          of={m.status_the_same_for_programs}
          parts={{
            status: () => <Source path="/beak/system/status" />,
            history: () => <Source path="/beak/system/history" />,
          }}
        />
      </p>
    </>
  )
})

/** Returns the history, or null when it cannot be read. A database that is down is not asked. */
async function readHistory({ components }: Status): Promise<History | null> {
  if (components.some(({ name, status }) => name === 'database' && status === 'outage')) return null
  const history = await api('GET /beak/system/history')
  return history.ok ? history.data : null
}

function Figures({ status }: { status: Status }) {
  const figures = [
    {
      name: m.status_fact_api_response_time(),
      value: latencyWords(status.api_latency_ms),
      note: m.status_median_of_recent_responses(),
    },
    {
      name: m.status_fact_active_agents(),
      value: status.agents_alive.toLocaleString(readersLocale()),
      note: m.status_seen_in_the_last_five_minutes(),
    },
    { name: m.status_fact_version(), value: status.function_version, note: m.status_of_this_service() },
  ]
  return (
    <section aria-labelledby="figures" className="mb-14 border-y border-line py-6">
      <h2 id="figures" className="visually-hidden">
        {m.status_figures()}
      </h2>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {figures.map(({ name, value, note }) => (
          <dl key={name}>
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="mt-1">
              <span className="font-display text-2xl font-semibold">{value}</span>
              <span className="block text-sm text-soft">{note}</span>
            </dd>
          </dl>
        ))}
        <AutoRefresh />
      </div>
      <p className="mt-6 text-sm text-soft">
        <Sentence of={m.status_checked} parts={{ time: () => <Time at={status.checked_at} /> }} />
      </p>
    </section>
  )
}

function Source({ path }: { path: string }) {
  return (
    <a href={withBasePath(path)} className="font-mono underline">
      GET {path}
    </a>
  )
}
