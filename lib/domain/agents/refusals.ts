/**
 * Refused beak keys, for the log of their owner. A request only notes the refusal in memory, so that a refused key costs no
 * write, answers as fast as an unknown key, and cannot fill the owner's log. The worker writes the notes every two seconds:
 * dead uses are added up on the key, and a key gets at most one `key.refused` event per cause in ten minutes. The event's
 * `count` is the number of uses since the last one.
 *
 * A process that is killed (SIGKILL) loses two seconds of counts. Of a cause that already had its event, it also loses the
 * count for the next event, but not the dead uses.
 */
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { minute, readClock, secondsAfter } from '@/lib/kernel/clock'
import type { Origin } from '@/lib/kernel/context'
import { singleton } from '@/lib/kernel/singleton'

export type KeyFault =
  | 'wrong_secret'
  | 'revoked'
  | 'expired'
  | 'query_key_off'
  | 'query_key_at_bond'
  | 'other_agent'

export interface RefusedKey {
  keyId: string
  agentId: string
  ducklingId: string
}

export interface Tally {
  count: number
  last: Origin
}

interface Notes {
  key: RefusedKey
  deadUses: number
  tallies: Map<KeyFault, Tally>
  /** Causes that had an event lately, and when the next one may be written. */
  heldUntil: Map<KeyFault, Date>
  writing: Promise<void> | null
}

/** Seconds between two events of one key and cause. */
export const refusalPauseSeconds = 10 * minute
/** Refusals of further keys are not noted until some of these are written. */
const keysMax = 10_000

const notes = () => singleton('key.refusals', () => new Map<string, Notes>())

/** Notes a refused use in memory. */
export function countRefusal(
  key: RefusedKey,
  cause: KeyFault,
  { now, requestId, ip, userAgent }: Origin,
): void {
  const known = notes().get(key.keyId)
  if (known === undefined && notes().size >= keysMax) return
  const entry = known ?? { key, deadUses: 0, tallies: new Map(), heldUntil: new Map(), writing: null }
  notes().set(key.keyId, entry)
  if (cause === 'revoked' || cause === 'expired') entry.deadUses += 1
  addTally(entry, cause, { count: 1, last: { now, requestId, ip, userAgent } })
}

function addTally({ tallies }: Notes, cause: KeyFault, { count, last }: Tally): void {
  const known = tallies.get(cause)
  if (known === undefined) tallies.set(cause, { count, last })
  else tallies.set(cause, { count: known.count + count, last: known.last.now > last.now ? known.last : last })
}

/** Writes what may be written now. Called by the worker. */
export async function writeRefusals(now: Date): Promise<void> {
  for (const entry of [...notes().values()]) await writeNotes(entry, now)
}

/** Writes what is in memory for one owner, so that what the owner reads next is complete. */
export async function writeRefusalsOf(ducklingId: string): Promise<void> {
  for (const entry of [...notes().values()])
    if (entry.key.ducklingId === ducklingId) await writeNotes(entry, readClock())
}

async function writeNotes(entry: Notes, now: Date): Promise<void> {
  while (entry.writing !== null) await entry.writing
  const isDue = (cause: KeyFault) => (entry.heldUntil.get(cause) ?? now) <= now
  const due = new Map([...entry.tallies].filter(([cause]) => isDue(cause)))
  const { deadUses } = entry
  if (due.size === 0 && deadUses === 0) return
  entry.deadUses = 0
  for (const cause of due.keys()) entry.tallies.delete(cause)
  const written = recordRefusal(entry.key, deadUses, due, now).then(
    (heldUntil) => {
      entry.heldUntil = new Map([...entry.heldUntil, ...heldUntil])
      for (const cause of heldUntil.keys()) restore(entry, due, cause)
    },
    (error: unknown) => {
      entry.deadUses += deadUses
      for (const cause of due.keys()) restore(entry, due, cause)
      throw error
    },
  )
  entry.writing = written.catch(() => undefined)
  await written.finally(() => {
    entry.writing = null
    if (entry.tallies.size === 0 && entry.deadUses === 0) notes().delete(entry.key.keyId)
  })
}

function restore(entry: Notes, due: Map<KeyFault, Tally>, cause: KeyFault): void {
  const tally = due.get(cause)
  if (tally !== undefined) addTally(entry, cause, tally)
}

/**
 * Adds the dead uses to the key and records one event for each cause, except for causes that had one in the last ten minutes.
 * Returns when those may have their next one. The key's row lock makes simultaneous writers wait for each other.
 */
export function recordRefusal(
  key: RefusedKey,
  deadUses: number,
  tallies: Map<KeyFault, Tally>,
  now: Date,
): Promise<Map<KeyFault, Date>> {
  return transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ refusedAt: Date | null }[]>`
      UPDATE "BeakKey" SET "deadUses" = "deadUses" + ${deadUses}::int WHERE "id" = ${key.keyId} RETURNING "refusedAt"`
    const heldUntil = new Map<KeyFault, Date>()
    // The key went with its account.
    if (!row) return heldUntil
    const since = secondsAfter(now, -refusalPauseSeconds)
    const isRecent = row.refusedAt !== null && row.refusedAt > since
    for (const [cause, tally] of tallies) {
      const last = isRecent ? await findEvent(tx, key, cause, since) : null
      if (last !== null) heldUntil.set(cause, secondsAfter(last, refusalPauseSeconds))
      else await recordEvent(tx, key, cause, tally, now)
    }
    if (heldUntil.size < tallies.size)
      await tx.beakKey.update({ where: { id: key.keyId }, data: { refusedAt: now } })
    return heldUntil
  })
}

/** Returns when the key's last event of that cause was written, or null when that was before `since`. */
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
): Promise<void> {
  return record(tx, { ...last, now, caller: null }, 'key.refused', {
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
