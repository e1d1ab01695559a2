import type { Reader } from '@/app/_web/event-sentence'
import { dayIn, longDay } from '@/components/ui/time-words'
import { chosenZone } from '@/components/ui/zone'
import type { AuditEvent } from './audit-event'
import { EventItem } from './event-item'

/** The events grouped by the days of the person's time zone, newest first. */
export async function EventDays({ events, reader }: { events: AuditEvent[]; reader: Reader }) {
  const zone = await chosenZone()
  const dayOf = ({ occurred_at }: AuditEvent) => dayIn(occurred_at, zone)
  const days = [...new Set(events.map(dayOf))]
  return days.map((day) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mt-9">
      <h2
        id={`day-${day}`}
        className="flex items-baseline justify-between border-b border-edge px-2 pb-2 text-base"
      >
        <time dateTime={day}>{longDay(day)}</time>
        <span className="font-sans text-xs font-normal tracking-normal text-soft">{zone ?? 'UTC'}</span>
      </h2>
      <ol>
        {events
          .filter((event) => dayOf(event) === day)
          .map((event) => (
            <EventItem key={event.event_id} event={event} reader={reader} />
          ))}
      </ol>
    </section>
  ))
}
