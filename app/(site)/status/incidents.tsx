import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { type Incident, lengthWords, parts, words } from './words'

/** The incidents of the last days, newest first. */
export function Incidents({ incidents, now }: { incidents: Incident[]; now: Date }) {
  if (incidents.length === 0) return <p className="text-soft">No incidents in the last 90 days.</p>
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
        <h3 className="text-base">{component === null ? 'Whole service' : parts[component].title}</h3>
        <Pill tone={words[condition].tone}>{words[condition].label}</Pill>
      </div>
      <p className="mt-1 text-sm text-soft">
        {ended_at === null ? 'Since ' : ''}
        <Time at={started_at} />
        {ended_at === null || seconds < 60 ? null : (
          <>
            {' '}
            to <Time at={ended_at} />
          </>
        )}{' '}
        ({lengthWords(seconds)}
        {ended_at === null ? ' so far' : ''}
        {source === 'operator' ? ', reported by the operator' : ''})
      </p>
      {note === null ? null : <p className="mt-2 max-w-2xl whitespace-pre-line wrap-anywhere">{note}</p>}
    </li>
  )
}
