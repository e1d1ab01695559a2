import type { Reader } from '@/app/_web/event-sentence'
import { Time } from '@/components/ui/time'
import type { AuditEvent } from './audit-event'
import { EventItem } from './event-item'

const dayOf = ({ occurred_at }: AuditEvent) => occurred_at.slice(0, 10)

/** The events grouped by day in UTC, newest first. */
export function EventDays({ events, reader }: { events: AuditEvent[]; reader: Reader }) {
  const days = [...new Set(events.map(dayOf))]
  return days.map((day) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mt-9">
      <h2
        id={`day-${day}`}
        className="flex items-baseline justify-between border-b border-edge px-2 pb-2 text-base"
      >
        <Time at={`${day}T00:00:00.000Z`} dateOnly />
        <span className="font-sans text-xs font-normal tracking-normal text-soft">UTC</span>
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
