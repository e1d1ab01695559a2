/** What the engine is told to do. It knows kinds of rows, but not what they mean. */

import { database, db, Prisma, type Tx } from '@/lib/db/client'
import { measuredTime } from '@/lib/db/service-clock'
import { type Sql, sql } from '@/lib/db/sql'
import { type OutboxKind, type OutboxPayloads, onChoresChanged } from '@/lib/infrastructure/events/outbox'
import type { ClaimedRow } from './claim'
import { type Loop, loop } from './loop'

/** How rows of one kind are worked on. */
export interface Job<K extends OutboxKind> {
  /** `attempt` counts from 1. Throws `Postponed` when the job must wait until a later time. */
  run(payload: OutboxPayloads[K], now: Date, attempt: number): Promise<void>
  /** Seconds to wait after each failed attempt. When the list is used up, the row is kept as failed. */
  retries: number[]
  /** Called in the transaction that marks the row as failed. */
  giveUp?(tx: Tx, payload: OutboxPayloads[K], now: Date): Promise<void>
}

/** Kinds that share a number of places. A pool that is full does not delay the other pools. */
export interface Pool {
  name: string
  kinds: OutboxKind[]
  /** Rows that are worked on at the same time. */
  places: number
  /** Claims at most `free` due rows. Without it, the pool claims the rows of its kinds that are due first. */
  claim?(free: number, places: number, now: Date): Promise<ClaimedRow[]>
}

/** Work that runs at an interval or, with `due`, when there is some. */
export interface Chore {
  name: string
  /** The interval. With `due`, the shortest time between two runs. */
  everySeconds: number
  /**
   * Selects one value: when the next work of the chore is due, or null while there is none. One statement of the worker asks this of all chores
   * that have it, so that an idle service asks its database once for all of them. It must read one row of an index.
   */
  due?: Sql
  /** Runs also in a process without the worker, because it works on what is in the memory of the process. */
  everyProcess?: true
  /** Ends or deletes what time has ended, or counts days. Waits while the clock is in doubt (contract G, Time). */
  endsByTime?: true
  /** Runs once more when the worker stops, so that nothing in memory is lost. */
  alsoAtStop?: true
  run(now: Date): Promise<void>
}

export interface Plan {
  jobs: { [K in OutboxKind]?: Job<K> }
  pools: Pool[]
  chores: Chore[]
  /** Restores what the pools derive from the outbox. Called after claims were released and before a drain. */
  restore(): Promise<void>
}

/**
 * Finds work that nobody signals: its time has come, or the worker that claimed it has died. One statement looks for all pools and chores. The
 * worker then sleeps until the next work is due.
 */

/** The longest sleep. Work of instances that died before their signal is found after this time. @internal */
export const sleepSeconds = 5
/** The sleep while due rows wait for a place. */
const backlogSeconds = 1
/** How many rows of each kind are looked at. */
const rowsMax = 64

export interface DuePool {
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

/** Turns each pool and each chore that has due work. Call `turn` when a row was delayed. */
export function watchDue(pools: DuePool[], chores: DueChore[] = []): Loop {
  const kinds = pools.flatMap((pool) => pool.kinds)
  const ranAt = new Map<DueChore, Date>()
  const isRested = (chore: DueChore, now: Date) =>
    Math.abs(now.getTime() - Number(ranAt.get(chore) ?? 0)) >= chore.everySeconds * 1000
  const watching = loop('find due work', sleepSeconds, async () => {
    if (kinds.length + chores.length === 0) return
    const now = await measuredTime(database)
    const next = await nextDue(kinds, chores)
    const due = new Set(next.filter(({ at }) => at <= now).map(({ name }) => name))
    for (const pool of pools) if (pool.kinds.some((kind) => due.has(kind))) pool.turn()
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
