/** What the engine is told to do. It knows kinds of rows, but not what they mean. */
import type { Tx } from '@/lib/db/client'
import type { Sql } from '@/lib/db/sql'
import type { OutboxKind, OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import type { ClaimedRow } from './claim'

/** How rows of one kind are worked on. */
export interface Job<K extends OutboxKind> {
  /** `attempt` counts from 1. Throws `Postponed` when the job must wait until a later time. */
  run(payload: OutboxPayloads[K], now: Date, attempt: number): Promise<void>
  /** Seconds to wait after each failed attempt. When the list is used up, the row is kept as failed. */
  retries: number[]
  /** Called in the transaction that marks the row as failed. */
  giveUp?(tx: Tx, payload: OutboxPayloads[K], now: Date): Promise<void>
}

/** Kinds that share a number of places. A lane that is full does not delay the other lanes. */
export interface Lane {
  name: string
  kinds: OutboxKind[]
  /** Rows that are worked on at the same time. */
  places: number
  /** Claims at most `free` due rows. Without it, the lane claims the rows of its kinds that are due first. */
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
  lanes: Lane[]
  chores: Chore[]
  /** Restores what the lanes derive from the outbox. Called after claims were released and before a drain. */
  restore(): Promise<void>
}
