import { type Reader, refusalReason } from '@/app/_web/event-sentence'
import { Duck, Logo } from '@/components/duck'
import { KeptText } from '@/components/kept-text'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { dayIn, longDay } from '@/lib/kernel/text/time-words'
import { NamedValue } from '../../pecks/_list/values-line'
import type { DisplayValue } from '../../pecks/_peck/answers'
import type { Deed } from './deeds'
import { EventDetails } from './event-details'
import { type AuditEvent, EventSentence } from './event-sentence'
import { OtherDevice } from './other-device'
import { type EventRules, ruleOf } from './rule-words'

/** The values that decide most of a request, by its id. */
export type EventValues = Record<string, DisplayValue[]>

/** Returns the id of the request that an event is about, or null. */
export const peckOf = ({ targets }: AuditEvent): string | null =>
  targets.find(({ type }) => type === 'peck')?.id ?? null

interface Shown {
  reader: Reader
  values: EventValues
  rules: EventRules
  /** The User-Agent of this browser. */
  userAgent: string | null
}

/** One event: its sentence, what decides of its request, and its time. Opens to show everything that is recorded, also of its steps. */
function EventItem({ event, steps, reader, values, rules, userAgent }: Deed & Shown) {
  const rule = ruleOf(event)
  const ruleText = rules[rule ?? '']
  const shown = values[peckOf(event) ?? ''] ?? []
  return (
    <li id={event.event_id} className="border-b border-line">
      <details>
        <summary className="grid list-none grid-cols-[2.25rem_minmax(0,1fr)] items-start gap-x-4 rounded-control px-2 py-3.5 hover:bg-sunken sm:grid-cols-[2.25rem_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
          <ActorPicture event={event} />
          <span className="min-w-0 pt-1">
            <EventLine event={event} reader={reader} />
            {ruleText === undefined ? null : (
              <span className="mt-0.5 block text-sm wrap-anywhere">
                <KeptText text={ruleText} />
              </span>
            )}
            <OtherDevice event={event} reader={reader} userAgent={userAgent} />
            {shown.length === 0 ? null : (
              <span className="mt-0.5 flex flex-wrap gap-x-4 text-sm wrap-anywhere">
                {shown.map((value) => (
                  <NamedValue key={value.name} value={value} />
                ))}
              </span>
            )}
          </span>
          <span
            translate="no"
            className="col-start-2 pt-1 font-mono text-xs text-soft sm:col-start-3 sm:pt-1.5"
          >
            <Time at={event.occurred_at} form="clock" />
          </span>
        </summary>
        {rule === null ? null : (
          <Link href={`/rules/${rule}`} className="ms-2 inline-block py-2 text-sm underline sm:ms-16">
            {m.audit_see_rule()}
          </Link>
        )}
        <EventDetails event={event} />
        {steps.length === 0 ? null : (
          <ul aria-label={m.audit_steps()}>
            {steps.map((step) => (
              <li key={step.event_id} id={step.event_id} className="ms-2 text-sm sm:ms-16">
                <EventLine event={step} reader={reader} />
                <EventDetails event={step} />
              </li>
            ))}
          </ul>
        )}
      </details>
    </li>
  )
}

function EventLine({ event, reader }: { event: AuditEvent; reader: Reader }) {
  const reason = refusalReason(event)
  return (
    <>
      <span className="wrap-anywhere">
        <EventSentence event={event} reader={reader} />
      </span>{' '}
      {event.outcome === 'denied' ? <Pill tone="bad">{m.audit_refused()}</Pill> : null}
      {reason ? <span className="mt-0.5 block text-sm text-soft">{reason}</span> : null}
    </>
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

/** Deeds grouped by the days of the person's time zone, newest first. */
export async function EventDays({ deeds, ...shown }: Shown & { deeds: Deed[] }) {
  const zone = await chosenZone()
  const dayOf = ({ event }: Deed) => dayIn(event.occurred_at, zone)
  const days = [...new Set(deeds.map(dayOf))]
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
        {deeds
          .filter((deed) => dayOf(deed) === day)
          .map((deed) => (
            <EventItem key={deed.event.event_id} {...deed} {...shown} />
          ))}
      </ol>
    </section>
  ))
}
