import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { explain } from '@/app/_web/form'
import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Water } from '@/components/water'
import { answerWith } from '@/lib/http/page-errors'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { readersLocale } from '@/lib/kernel/text/time-words'
import { AutoRefresh } from './auto-refresh'
import { Parts } from './parts'
import {
  type Condition,
  type History,
  type Incident,
  latencyWords,
  lengthWords,
  overallWords,
  parts,
  reported,
  type Status,
  shownCondition,
  words,
} from './words'

/** The incidents of the last days, newest first. */
function Incidents({ incidents, now }: { incidents: Incident[]; now: Date }) {
  if (incidents.length === 0) return <p className="text-soft">{m.status_no_incidents_in_last_90_days()}</p>
  return (
    <ol className="divide-y divide-line border-y border-line">
      {incidents.map((incident) => (
        <IncidentItem key={incident.incident_id} incident={incident} now={now} />
      ))}
    </ol>
  )
}

function IncidentItem({ incident, now }: { incident: Incident; now: Date }) {
  const { incident_id, component, condition, source, started_at, ended_at, note } = incident
  const seconds = ((ended_at === null ? now.getTime() : Date.parse(ended_at)) - Date.parse(started_at)) / 1000
  return (
    <li id={incident_id} className="py-5">
      <div className="flex items-center justify-between gap-6">
        <h3 className="text-base">
          {component === null ? m.status_whole_service() : parts[component].title}
        </h3>
        <Pill tone={words[condition].tone}>{words[condition].label}</Pill>
      </div>
      <p className="mt-1 text-sm text-soft">
        <IncidentTimes start={started_at} end={ended_at} seconds={seconds} />
        {source === 'operator' ? ` ${m.status_reported_by_the_operator()}` : ''}
      </p>
      {note === null ? null : <p className="mt-2 max-w-2xl whitespace-pre-line wrap-anywhere">{note}</p>}
    </li>
  )
}

interface IncidentTimesProps {
  start: string
  /** Null while the incident lasts. */
  end: string | null
  seconds: number
}

function IncidentTimes({ start, end, seconds }: IncidentTimesProps) {
  const values = { length: lengthWords(seconds) }
  const parts = { start: () => <Time at={start} /> }
  if (end === null) return <Sentence of={m.status_since_start_so_far} with={values} parts={parts} />
  if (seconds < 60) return <Sentence of={m.status_start_length} with={values} parts={parts} />
  return (
    <Sentence
      of={m.status_start_to_end_length}
      with={values}
      parts={{ ...parts, end: () => <Time at={end} /> }}
    />
  )
}

/** How the duck and the water look: calm, rough, or with the duck's head under water. */
const looks: Record<Condition, { duck: string; waves: number; water: string }> = {
  operational: { duck: '-bottom-9', waves: 4, water: '' },
  degraded: { duck: '-bottom-7 -rotate-12', waves: 7, water: 'scale-y-200' },
  outage: { duck: '-bottom-18 -rotate-[110deg]', waves: 4, water: '' },
}

function Scene({ condition }: { condition: Condition }) {
  const { duck, waves, water } = looks[condition]
  return (
    <div aria-hidden="true" className="relative h-36 overflow-hidden">
      <div className="absolute inset-x-0 top-0 bottom-8">
        <Duck id="DUCK-QXQH" size={136} bare className={`absolute left-1/3 ${duck}`} />
      </div>
      <div className="absolute inset-x-0 bottom-0 h-8 bg-ground" />
      <Water waves={waves} className={`absolute inset-x-0 bottom-4 ${water}`} />
    </div>
  )
}

export const generateMetadata = (): Metadata => ({
  title: m.status_status(),
  description: m.status_page_description(),
})

/** Shows the state of the service. Works even when the database is down. */
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
          <p className="text-soft">{m.status_history_unavailable()}</p>
        ) : (
          <Incidents incidents={history.incidents} now={readClock()} />
        )}
      </Section>
      <p className="text-sm text-soft">
        <Sentence
          of={m.status_api_sources_note}
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
