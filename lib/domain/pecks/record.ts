import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import type { EndCause } from '@/lib/infrastructure/events/kinds/peck-data'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { type Actor, record, systemActor, type Target } from '@/lib/infrastructure/events/record'
import { announce, signal } from '@/lib/infrastructure/events/signals'
import { type CallerContext, type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { type PeckRow, readPecks } from './rows'
import { type PeckInput, presentPeck } from './schema'

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
 * now. The webhook data has no grant token, because both sides receive it. Returns the peck in wire form.
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
): PeckInput {
  const { cause } = details
  const ended = cause && { cause }
  const presented = presentPeck(peck, context.now)
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
    data: { ...presented, ...ended },
    ...(details.actor ? { actor: details.actor } : {}),
    ...(details.counts ? { counts: details.counts } : {}),
    isDeferred: details.isDeferred === true,
  })
  // The notification goes away wherever the request was answered.
  if (peck.rings && ending.has(kind)) enqueue(tx, context.now, 'reach_end', { peck_id: peck.id })
  announce(tx, peck)
  return presented
}

const batchSize = 100

/** Marks a pending peck as expired when its time is up. Does nothing when it was decided or is already marked. */
export async function expirePeck(tx: Tx, peckId: string, now: Date): Promise<void> {
  const [expired] = await readPecks(
    tx,
    sql`UPDATE "Peck" SET "status" = 'expired', "pendingKey" = NULL, "snoozedUntil" = NULL
      WHERE "id" = ${peckId} AND "status" = 'pending' AND "rejectAt" IS NULL AND "expiresAt" <= ${now}::timestamptz RETURNING *`,
  )
  if (expired) recordPeck(tx, systemContext(now), 'peck.expired', expired, { actor: systemActor })
}

/** When the next peck expires, with the conditions of the index "Peck_due_idx". */
export const nextExpiry = sql`
  SELECT "expiresAt" FROM "Peck" WHERE "status" = 'pending' AND "pendingKey" IS NOT NULL AND "rejectAt" IS NULL
  ORDER BY "expiresAt" LIMIT 1`

/** Expires every pending peck whose time is up, each in its own transaction. Called by the worker. */
export async function expirePecks(now: Date): Promise<void> {
  for (;;) {
    // The conditions of the index "Peck_due_idx".
    const due = await db().rows<{ id: string }>`
      SELECT "id" FROM "Peck" WHERE "status" = 'pending' AND "pendingKey" IS NOT NULL AND "rejectAt" IS NULL AND "expiresAt" <= ${now}
      ORDER BY "expiresAt" LIMIT ${batchSize}`
    for (const { id } of due) await transaction((tx) => expirePeck(tx, id, now))
    if (due.length < batchSize) return
  }
}
