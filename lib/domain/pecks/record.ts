import type { Tx } from '@/lib/db/client'
import { announce } from '@/lib/infrastructure/events/changes'
import type { EndCause } from '@/lib/infrastructure/events/kinds/peck-data'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { type Actor, record, type Target } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { CallerContext, DucklingContext } from '@/lib/kernel/context'
import type { PeckRow } from './rows'
import { presentPeck } from './schema'

const ending: ReadonlySet<string> = new Set([
  'peck.approved',
  'peck.rejected',
  'peck.expired',
  'peck.cancelled',
])

type PeckEvent =
  `peck.${'sent' | 'approved' | 'rejected' | 'expired' | 'cancelled' | 'consumed' | 'revoked' | 'grant_expired'}`

/**
 * Returns the ducklings whose logs record a peck: asker and target. Only the asker when the target has blocked the asker, and until the target
 * decides a peck of the second list: strangers must not fill the log of the target, nor send its webhooks (contract F, Askers).
 */
export function sidesOf(peck: PeckRow): string[] {
  const isDecided = peck.status === 'approved' || peck.status === 'rejected'
  return peck.blocked || (peck.stranger && !isDecided)
    ? [peck.requesterDucklingId]
    : [peck.requesterDucklingId, peck.targetDucklingId]
}

/** Records what only the target of a peck may know in the target's log, and wakes the target's streams. */
export function recordForTarget(
  tx: Tx,
  context: DucklingContext,
  kind: 'peck.snoozed' | 'peck.undone',
  { id, action, askerId }: PeckRow,
  metadata: Record<string, string | null> = {},
): void {
  record(tx, context, kind, {
    targets: [{ type: 'peck', id }],
    metadata: { action, asker: askerId, ...metadata },
  })
  signal(tx, context.caller.id)
}

/**
 * Records an event of a peck for its sides, notifies open long polls and streams, and enqueues webhooks with the peck as it is
 * now. The webhook data has no grant token, because both sides receive it.
 */
export function recordPeck(
  tx: Tx,
  context: CallerContext,
  kind: PeckEvent,
  peck: PeckRow,
  details: {
    actor?: Actor
    concerning?: string[]
    isDeferred?: boolean
    /** Why a peck or a permission ended, when neither side ended it for itself. */
    cause?: EndCause
    /** Other pecks that the event is about. */
    others?: string[]
    counts?: { completed_pecks: number }
    metadata?: Record<string, string | number>
  } = {},
): void {
  const { cause } = details
  const ended = cause && { cause }
  const targets: Target[] = [
    { type: 'peck', id: peck.id },
    { type: 'duckling', id: peck.targetDucklingId },
  ]
  if (peck.requesterAgentId !== null) targets.push({ type: 'agent', id: peck.requesterAgentId })
  for (const id of details.others ?? []) targets.push({ type: 'peck', id })
  record(tx, context, kind, {
    concerning: details.concerning ?? sidesOf(peck),
    targets,
    metadata: { action: peck.action, scope: peck.scope, asker: peck.askerId, ...ended, ...details.metadata },
    data: { ...presentPeck(peck, context.now), ...ended },
    ...(details.actor ? { actor: details.actor } : {}),
    ...(details.counts ? { counts: details.counts } : {}),
    isDeferred: details.isDeferred === true,
  })
  // The notification goes away wherever the request was answered.
  if (peck.rings && ending.has(kind)) enqueue(tx, context.now, 'reach_end', { peck_id: peck.id })
  announce(tx, peck)
}
