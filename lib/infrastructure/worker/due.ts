/**
 * Finds work that nobody signals: its time has come, or the worker that claimed it has died. One statement looks for all lanes and chores. The
 * worker then sleeps until the next work is due.
 */
import { database, db, Prisma } from '@/lib/db/client'
import { settledTime } from '@/lib/db/service-clock'
import { type Sql, sql } from '@/lib/db/sql'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { onChoresChanged } from '@/lib/infrastructure/events/outbox'
import { type Loop, loop } from './loop'

/** The longest sleep. Work of instances that died before their signal is found after this time. @internal */
export const sleepSeconds = 5
/** The sleep while due rows wait for a place. */
const backlogSeconds = 1
/** How many rows of each kind are looked at. */
const rowsMax = 64

export interface DueLane {
  kinds: OutboxKind[]
  turn(): void
}

/** A chore that runs when its work is due, and not before the time between two runs is over. */
export interface DueChore {
  everySeconds: number
  due: Sql
  turn(): void
}

/**
 * Returns for each kind when its next row can be claimed, and for each chore when its next work is due. Leaves out those without any. In the
 * order of the index, see `claimDue`.
 */
function nextDue(kinds: OutboxKind[], chores: DueChore[]): Promise<{ name: string; at: Date }[]> {
  const ofChores = chores.map(
    ({ due }, index) => sql`SELECT ${Prisma.raw(`'${index}'`)} AS "name", (${due}) AS "at"`,
  )
  const ofKinds = sql`
    SELECT wanted."kind" AS "name", min(GREATEST(row."dueAt", row."claimedUntil")) AS "at"
    FROM unnest(${kinds}::text[]) AS wanted ("kind") CROSS JOIN LATERAL (
      SELECT "dueAt", "claimedUntil" FROM "Outbox"
      WHERE "kind" = wanted."kind" AND "failedAt" IS NULL ORDER BY "failedAt", "dueAt" LIMIT ${rowsMax}::int
    ) row GROUP BY wanted."kind"`
  const all = Prisma.join([ofKinds, ...ofChores], ' UNION ALL ')
  return db().rows`SELECT next."name", next."at" FROM (${all}) next WHERE next."at" IS NOT NULL`
}

/** Turns each lane and each chore that has due work. Call `turn` when a row was delayed. */
export function watchDue(lanes: DueLane[], chores: DueChore[] = []): Loop {
  const kinds = lanes.flatMap((lane) => lane.kinds)
  const ranAt = new Map<DueChore, Date>()
  const isRested = (chore: DueChore, now: Date) =>
    Math.abs(now.getTime() - Number(ranAt.get(chore) ?? 0)) >= chore.everySeconds * 1000
  const watching = loop('find due work', sleepSeconds, async () => {
    if (kinds.length + chores.length === 0) return
    const now = await settledTime(database)
    const next = await nextDue(kinds, chores)
    const due = new Set(next.filter(({ at }) => at <= now).map(({ name }) => name))
    for (const lane of lanes) if (lane.kinds.some((kind) => due.has(kind))) lane.turn()
    for (const [index, chore] of chores.entries()) {
      if (!due.has(String(index)) || !isRested(chore, now)) continue
      ranAt.set(chore, now)
      chore.turn()
    }
    if (due.size > 0) return backlogSeconds
    const first = Math.min(...next.map(({ at }) => at.getTime()))
    return Math.min(sleepSeconds, (first - now.getTime()) / 1000)
  })
  if (chores.length === 0) return watching
  const end = onChoresChanged(() => void watching.turn())
  return {
    ...watching,
    stop: () => {
      end()
      return watching.stop()
    },
  }
}
