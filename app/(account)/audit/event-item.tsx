import type { ReactNode } from 'react'
import { eventSentence, type Piece, type Reader, refusalReason } from '@/app/_web/event-sentence'
import { Duck, Logo } from '@/components/duck'
import { Facts, Pill } from '@/components/ui/surface'
import type { AuditEventOutput } from '@/lib/domain/audit/schema'

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })

/** One event: who did what, and when; all that is recorded of it one click away. */
export function EventItem({ event, reader }: { event: AuditEventOutput; reader: Reader }) {
  const isDenied = event.outcome === 'denied'
  const reason = refusalReason(event)
  return (
    <li id={event.event_id} className="border-b border-line">
      <details className="group">
        <summary className="grid list-none grid-cols-[2.25rem_minmax(0,1fr)] items-start gap-x-4 rounded-control px-2 py-3.5 hover:bg-sunken sm:grid-cols-[2.25rem_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
          <Actor event={event} />
          <span className="min-w-0 pt-1">
            <span className="wrap-anywhere">
              {eventSentence(event, reader).map((piece, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other order or name
                <Words key={n} piece={piece} />
              ))}
              .
            </span>{' '}
            {isDenied ? <Pill tone="bad">Refused</Pill> : null}
            {reason ? <span className="mt-0.5 block text-sm text-soft">{reason}</span> : null}
          </span>
          <time
            dateTime={event.occurred_at}
            className="col-start-2 pt-1 font-mono text-xs text-soft tabular-nums sm:col-start-3 sm:pt-1.5"
          >
            {clock.format(new Date(event.occurred_at))}
          </time>
        </summary>
        <Details event={event} />
      </details>
    </li>
  )
}

/** Whoever did it, as a picture; a refused attempt is ringed. */
function Actor({ event: { actor, outcome, action, metadata } }: { event: AuditEventOutput }) {
  // Whoever guards a thing spends the permission for its asker, without saying who they are.
  const asker = action === 'peck.consumed' && typeof metadata.asker === 'string' ? metadata.asker : null
  const id = asker ?? actor.id
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

/** A piece of the sentence of an event. */
export function Words({ piece }: { piece: Piece }) {
  if (typeof piece === 'string') return piece
  if ('code' in piece) return <code className="font-medium">{piece.code}</code>
  return <strong className="font-semibold">{piece.name}</strong>
}

function Details({ event }: { event: AuditEventOutput }) {
  const { actor, targets, context, metadata } = event
  const facts: { name: string; value: ReactNode }[] = [
    { name: 'Event', value: <Code>{`${event.event_id}, number ${event.seq}`}</Code> },
    { name: 'Kind', value: <Code>{event.action}</Code> },
    { name: 'When', value: <Code>{event.occurred_at}</Code> },
    { name: 'Who', value: <Code>{actor.id ? `${actor.type} ${actor.id}` : actor.type}</Code> },
    ...(targets.length === 0 ? [] : [{ name: 'On', value: targets.map(target) }]),
    ...[
      { name: 'From', value: context.ip },
      { name: 'With', value: context.user_agent },
      { name: 'Request', value: context.request_id },
    ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value: <Code>{value}</Code> }])),
    ...Object.entries(metadata).map(([name, value]) => ({ name, value: <Code>{said(value)}</Code> })),
    { name: 'Hash before', value: <Code>{event.prev_hash}</Code> },
    { name: 'Hash', value: <Code>{event.hash}</Code> },
  ]
  return (
    <div className="mt-2 mb-6 ms-2 border-s-2 border-line ps-5 sm:ms-16">
      <Facts facts={facts} />
    </div>
  )
}

function target({ type, id }: { type: string; id: string }) {
  return (
    <span key={id} className="block">
      <Code>{`${type} ${id}`}</Code>
    </span>
  )
}

function Code({ children }: { children: string }) {
  return <span className="font-mono text-xs">{children}</span>
}

function said(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
