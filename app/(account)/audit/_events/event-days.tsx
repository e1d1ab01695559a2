import { type Reader, refusalReason } from '@/app/_web/event-sentence'
import { Duck, Logo } from '@/components/duck'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { dayIn, longDay } from '@/lib/kernel/text/time-words'
import { EventDetails } from './event-details'
import { type AuditEvent, EventSentence } from './event-sentence'

/** One event: its sentence and its time. Opens to show everything that is recorded. */
function EventItem({ event, reader }: { event: AuditEvent; reader: Reader }) {
  const reason = refusalReason(event)
  return (
    <li id={event.event_id} className="border-b border-line">
      <details className="group">
        <summary className="grid list-none grid-cols-[2.25rem_minmax(0,1fr)] items-start gap-x-4 rounded-control px-2 py-3.5 hover:bg-sunken sm:grid-cols-[2.25rem_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
          <ActorPicture event={event} />
          <span className="min-w-0 pt-1">
            <span className="wrap-anywhere">
              <EventSentence event={event} reader={reader} />
            </span>{' '}
            {event.outcome === 'denied' ? <Pill tone="bad">{m.audit_refused()}</Pill> : null}
            {reason ? <span className="mt-0.5 block text-sm text-soft">{reason}</span> : null}
          </span>
          <span
            translate="no"
            className="col-start-2 pt-1 font-mono text-xs text-soft sm:col-start-3 sm:pt-1.5"
          >
            <Time at={event.occurred_at} form="clock" />
          </span>
        </summary>
        <EventDetails event={event} />
      </details>
    </li>
  )
}

/** The picture of the actor. A refused attempt has a red ring. */
function ActorPicture({ event: { actor, outcome, action, metadata } }: { event: AuditEvent }) {
  // The service that uses a permission does not say who it is, so the picture shows the asker.
  const asker = action === 'peck.consumed' && typeof metadata.asker === 'string' ? metadata.asker : null
  const id = asker ?? (actor.type === 'system' ? null : actor.id)
  const ring = outcome === 'denied' ? 'outline-2 outline-offset-2 outline-bad' : ''
  if (id) return <Duck id={id} size={36} className={ring} />
  return (
    <span
      aria-hidden="true"
      className={`grid size-9 place-items-center rounded-full bg-sunken font-display font-semibold text-soft ${ring}`}
    >
      {actor.type === 'system' ? <Logo size={20} /> : '?'}
    </span>
  )
}

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
