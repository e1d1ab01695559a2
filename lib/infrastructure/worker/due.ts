/**
 * Finds rows that nobody signals: their time has come, or the worker that claimed them has died. One statement looks for all lanes. The
 * worker then sleeps until the next row is due.
 */
import { db } from '@/lib/db/client'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { readClock } from '@/lib/kernel/clock'
import { type Loop, loop } from './loop'

/** The longest sleep. Rows of instances that died before their signal are found after this time. */
const sleepSeconds = 5
/** The sleep while due rows wait for a place. */
const backlogSeconds = 1
/** How many rows of each kind are looked at. */
const rowsMax = 64

export interface DueLane {
  kinds: OutboxKind[]
  turn(): void
}

/** Returns for each kind when its next row can be claimed. Leaves out kinds without rows. In the order of the index, see `claimDue`. */
function nextDue(kinds: OutboxKind[]): Promise<{ kind: OutboxKind; at: Date }[]> {
  return db().rows`
    SELECT wanted."kind", min(GREATEST(row."dueAt", row."claimedUntil")) AS "at"
    FROM unnest(${kinds}::text[]) AS wanted ("kind") CROSS JOIN LATERAL (
      SELECT "dueAt", "claimedUntil" FROM "Outbox"
      WHERE "kind" = wanted."kind" AND "failedAt" IS NULL ORDER BY "failedAt", "dueAt" LIMIT ${rowsMax}::int
    ) row GROUP BY wanted."kind"`
}

/** Turns each lane when it has due rows. Call `turn` when a row was delayed. */
export function watchDue(lanes: DueLane[]): Loop {
  const kinds = lanes.flatMap((lane) => lane.kinds)
  return loop('find due rows', sleepSeconds, async () => {
    if (kinds.length === 0) return
    const now = readClock()
    const next = await nextDue(kinds)
    const due = new Set(next.filter(({ at }) => at <= now).map(({ kind }) => kind))
    for (const lane of lanes) if (lane.kinds.some((kind) => due.has(kind))) lane.turn()
    if (due.size > 0) return backlogSeconds
    const first = Math.min(...next.map(({ at }) => at.getTime()))
    return Math.min(sleepSeconds, (first - now.getTime()) / 1000)
  })
}
