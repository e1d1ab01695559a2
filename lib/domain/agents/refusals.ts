/**
 * Records rejected beak keys in the audit log of their owner. A request only counts the rejection in memory. So a rejected key causes
 * no write, is answered as fast as an unknown key, and cannot fill the owner's log. The worker writes the counts every two seconds.
 * Uses of retired keys are added up on the key (`deadUses`). A key gets at most one `key.refused` event for each cause in ten minutes,
 * whose `count` is the number of uses since the last event.
 *
 * A process that is killed (SIGKILL) loses the counts of two seconds. For a cause that had an event in the last ten minutes, it also
 * loses the count of the next event, but not `deadUses`.
 */

import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { Fails } from '@/lib/kernel/request/context'
import type { Failure } from '@/lib/kernel/request/failures'
import type { Origin } from '@/lib/kernel/request/origin'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'

export type KeyFault =
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  | 'query_key_off'
  | 'query_key_at_bond'
  | 'other_agent'

interface RefusedKey {
  keyId: string
  agentId: string
  ducklingId: string
}

export interface Tally {
  count: number
  last: Origin
}

interface PendingRefusals {
  key: RefusedKey
  deadUses: number
  tallies: Map<KeyFault, Tally>
  /** When the next event of each cause may be written, for causes with a recent event. */
  nextEventAt: Map<KeyFault, Date>
  writing: Promise<void> | null
}

/** Seconds between two events of one key and cause. */
export const refusalPauseSeconds = 10 * minute
/** The most keys in memory. Refusals of further keys are not counted until some of these are written. */
const keysMax = 10_000

const pending = () => singleton('key.refusals', () => new Map<string, PendingRefusals>())

/** Counts a refused use in memory. */
export function countRefusal(
  key: RefusedKey,
  cause: KeyFault,
  { now, requestId, ip, userAgent }: Origin,
): void {
  const known = pending().get(key.keyId)
  if (known === undefined && pending().size >= keysMax) return
  const entry = known ?? { key, deadUses: 0, tallies: new Map(), nextEventAt: new Map(), writing: null }
  pending().set(key.keyId, entry)
  if (cause === 'revoked' || cause === 'expired') entry.deadUses += 1
  addTally(entry, cause, { count: 1, last: { now, requestId, ip, userAgent } })
}

function addTally({ tallies }: PendingRefusals, cause: KeyFault, { count, last }: Tally): void {
  const known = tallies.get(cause)
  if (known === undefined) tallies.set(cause, { count, last })
  else tallies.set(cause, { count: known.count + count, last: known.last.now > last.now ? known.last : last })
}

/** Writes all counts that are due. Called by the worker. */
export async function writeRefusals(now: Date): Promise<void> {
  for (const entry of [...pending().values()]) await writePending(entry, now)
}

/** Writes the counts of one owner, so that what the owner reads next is complete. */
export async function writeRefusalsOf(ducklingId: string): Promise<void> {
  for (const entry of [...pending().values()])
    if (entry.key.ducklingId === ducklingId) await writePending(entry, readClock())
}

async function writePending(entry: PendingRefusals, now: Date): Promise<void> {
  while (entry.writing !== null) await entry.writing
  const isDue = (cause: KeyFault) => (entry.nextEventAt.get(cause) ?? now) <= now
  const due = new Map([...entry.tallies].filter(([cause]) => isDue(cause)))
  const { deadUses } = entry
  if (due.size === 0 && deadUses === 0) return
  entry.deadUses = 0
  for (const cause of due.keys()) entry.tallies.delete(cause)
  const written = recordRefusal(entry.key, deadUses, due, now).then(
    (nextEventAt) => {
      entry.nextEventAt = new Map([...entry.nextEventAt, ...nextEventAt])
      for (const cause of nextEventAt.keys()) addBack(entry, due, cause)
    },
    (error: unknown) => {
      entry.deadUses += deadUses
      for (const cause of due.keys()) addBack(entry, due, cause)
      throw error
    },
  )
  entry.writing = written.catch(() => undefined)
  await written.finally(() => {
    entry.writing = null
    if (entry.tallies.size === 0 && entry.deadUses === 0) pending().delete(entry.key.keyId)
  })
}

/** Adds counts that were not written to those in memory. */
function addBack(entry: PendingRefusals, due: Map<KeyFault, Tally>, cause: KeyFault): void {
  const tally = due.get(cause)
  if (tally !== undefined) addTally(entry, cause, tally)
}

/**
 * Adds the uses of a retired key and records one event for each cause. Skips causes that had an event in the last ten minutes, and
 * returns when each of them may have the next one. The lock on the key's row makes simultaneous writers wait for each other.
 */
export function recordRefusal(
  key: RefusedKey,
  deadUses: number,
  tallies: Map<KeyFault, Tally>,
  now: Date,
): Promise<Map<KeyFault, Date>> {
  return transaction(async (tx) => {
    const [row] = await tx.rows<{ refusedAt: Date | null }>`
      UPDATE "BeakKey" SET "deadUses" = "deadUses" + ${deadUses}::int WHERE "id" = ${key.keyId} RETURNING "refusedAt"`
    const nextEventAt = new Map<KeyFault, Date>()
    // The key was deleted with its account.
    if (!row) return nextEventAt
    const since = secondsAfter(now, -refusalPauseSeconds)
    const isRecent = row.refusedAt !== null && row.refusedAt > since
    for (const [cause, tally] of tallies) {
      const last = isRecent ? await findEvent(tx, key, cause, since) : null
      if (last !== null) nextEventAt.set(cause, secondsAfter(last, refusalPauseSeconds))
      else recordEvent(tx, key, cause, tally, now)
    }
    if (nextEventAt.size < tallies.size)
      await tx.beakKey.update({ where: { id: key.keyId }, data: { refusedAt: now } })
    return nextEventAt
  })
}

/** Returns the time of the key's last event of a cause since `since`, or null when there is none. */
async function findEvent(
  tx: Tx,
  { ducklingId, keyId }: RefusedKey,
  cause: KeyFault,
  since: Date,
): Promise<Date | null> {
  const last = await tx.auditEvent.findFirst({
    where: {
      ducklingId,
      action: 'key.refused',
      occurredAt: { gt: since },
      AND: [
        { metadata: { path: ['key_id'], equals: keyId } },
        { metadata: { path: ['cause'], equals: cause } },
      ],
    },
    orderBy: { seq: 'desc' },
    select: { occurredAt: true },
  })
  return last?.occurredAt ?? null
}

function recordEvent(
  tx: Tx,
  { ducklingId, keyId, agentId }: RefusedKey,
  cause: KeyFault,
  { count, last }: Tally,
  now: Date,
): void {
  record(tx, { ...last, now, caller: null }, 'key.refused', {
    concerning: [ducklingId],
    outcome: 'denied',
    metadata: {
      code: 'E4001',
      failure: 'beak_key_invalid',
      cause,
      key_id: keyId,
      agent_id: agentId,
      count,
    },
  })
}

/**
 * Returns the failure for a rejected key, which is the same for every cause. The cause is counted in memory, and the worker
 * writes it into the owner's audit log.
 */
export function refuseKey(context: Fails<'beak_key_invalid'>, key: RefusedKey, cause: KeyFault): Failure {
  const { keyId, agentId, ducklingId } = key
  return context.fail('beak_key_invalid', {}, (origin) =>
    countRefusal({ keyId, agentId, ducklingId }, cause, origin),
  )
}
