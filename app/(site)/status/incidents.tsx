import { Sentence } from '@/components/sentence'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { type Incident, lengthWords, parts, words } from './words'

/** The incidents of the last days, newest first. */
export function Incidents({ incidents, now }: { incidents: Incident[]; now: Date }) {
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
