/**
 * A command opens exactly one transaction, at its top. A Failure that is thrown inside rolls everything back. A Failure that is
 * returned is thrown after the commit: so a wrong code is counted although it is rejected.
 *
 * The statements of a connection are pipelined: BEGIN travels with the first statement, and what `beforeCommit` collected travels
 * together at the end.
 */
import type { PoolClient } from 'pg'
import { Failure } from '@/lib/kernel/request/failures'
import { AsyncLocalStorage } from '@/lib/kernel/runtime/async-storage'
import { chunksOf } from '@/lib/kernel/runtime/chunks'
import { latest, readClock } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { type Database, database, Prisma, type Tx } from './client'
import { isRetryable, unmetRule } from './conflict'
import { onConnection, pipeline, pipelined } from './connections'
import { execute } from './prepared-query'
import { inTransaction, type Models } from './prisma'
import { queriesOn, type Sql, sql, statementOfSql } from './sql'

interface Outcome {
  /** Gets the number of changed rows, and the returned rows. */
  changed?: (count: number, rows: unknown[]) => void
  /** Returns what is thrown when `required` in the statement was not met. */
  refused?: () => Error
}

/** Gets the result of a transaction before its commit: what its work returned, or the failure that is thrown after the commit. */
type Concluder = (tx: Tx, result: unknown) => void

/** Of the call that the running code belongs to. */
const concluders = singleton('db.concluders', () => new AsyncLocalStorage<Concluder | null>())

/**
 * Runs `work`, and calls `conclude` at the end of each of its transactions. What `conclude` adds with `beforeCommit` is committed together
 * with the transaction. It is called again when a transaction is retried.
 */
export function concluding<T>(conclude: Concluder, work: () => T): T {
  return concluders.run(conclude, work)
}

interface Ending extends Outcome {
  /** Made when they are sent, because further items may follow. */
  statements: () => Sql[]
  /** What `beforeCommitTogether` has collected for the statement. */
  shared?: { key: string; items: unknown[] }
}

/** An item of a statement that several items share. */
interface Together<T> {
  key: string
  item: T
  /** Returns the statements for all items, in the order in which they run. */
  build: (items: T[]) => Sql[]
  changed?: (count: number, rows: unknown[]) => void
  /** Returns what is thrown when `required` in the statement was not met. */
  refused?: (items: T[]) => Error
}

/** What a transaction has collected. */
interface Collected {
  client: PoolClient
  endings: Ending[]
  effects: Set<() => void>
}

const collectedBy = new WeakMap<object, Collected>()

function collected(tx: Tx): Collected {
  const found = collectedBy.get(tx)
  if (found === undefined) throw new Error('This works only inside a transaction.')
  return found
}

/** Runs `effect` after `tx` has committed, but not after a rollback. The same function added twice runs once. */
export function onCommit(tx: Tx, effect: () => void): void {
  collected(tx).effects.add(effect)
}

/**
 * Runs a statement at the end of `tx`, after all others and in the order of these calls. For consequences of a command, which it does
 * not read itself. They travel together with COMMIT, so only SQL can roll back: see `required`.
 */
export function beforeCommit(tx: Tx, statement: Sql, outcome: Outcome = {}): void {
  collected(tx).endings.push({ statements: () => [statement], ...outcome })
}

/**
 * Does the same for an item of a statement that several items share: the items of one `key` are sent together, at the place of the first.
 */
export function beforeCommitTogether<T>(tx: Tx, { key, item, build, changed, refused }: Together<T>): void {
  const { endings } = collected(tx)
  const found = endings.find(({ shared }) => shared?.key === key)
  if (found?.shared !== undefined) {
    found.shared.items.push(item)
    return
  }
  const items = [item]
  endings.push({
    statements: () => build(items),
    shared: { key, items },
    ...(changed && { changed }),
    ...(refused && { refused: () => refused(items) }),
  })
}

/** How many inserts one statement has at most. */
const insertsMax = 8

/**
 * Inserts rows at the end of `tx`, in one statement with other inserts, at the place of the first. Takes INSERT statements, also with ON
 * CONFLICT. No two of them may touch the same row, because none sees what the others do: the database refuses the second. They run in any
 * order, so serial ids do not tell the order of the calls. Call `flush` before when an insert needs a change that was collected.
 */
export function insertAtEnd(tx: Tx, insert: Sql): void {
  beforeCommitTogether(tx, {
    key: 'inserts',
    item: insert,
    build: (inserts) => chunksOf(inserts, insertsMax).map(insertsTogether),
  })
}

function insertsTogether(inserts: Sql[]): Sql {
  const [first, ...others] = inserts
  if (first !== undefined && others.length === 0) return first
  // In one order, so that the same inserts make one prepared statement.
  const parts = inserts
    .sort((left, right) => (left.text < right.text ? -1 : Number(left.text > right.text)))
    .map((insert, at) => sql`${Prisma.raw(`i${at}`)} AS (${insert})`)
  return sql`WITH ${Prisma.join(parts)} SELECT 1`
}

/** Runs what `beforeCommit` has collected now, for a command that reads it afterwards. */
export function flush(tx: Tx): Promise<void> {
  return sendCollected(collected(tx))
}

/** A column that fails the transaction unless `condition` is true, in a statement for `beforeCommit`. `rule` names the condition. */
export function required(condition: Sql, rule: string): Sql {
  return sql`require_condition(${condition}, ${rule}::text)`
}

/**
 * Awaits statements that are sent together. Throws the first error in the order in which they were sent: later ones only say that the
 * transaction has failed.
 */
export async function together<T extends readonly unknown[]>(
  sent: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const outcomes = await Promise.allSettled(sent)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T
}

/** Returns the error to throw for the error of a collected statement. An unmet condition is the refusal of the command. */
function endingError({ refused }: Ending, error: unknown): unknown {
  const rule = unmetRule(error)
  if (rule === null) return error
  return refused?.() ?? new Error(`The transaction was rolled back: ${rule}.`, { cause: error })
}

/** Sends the collected statements, and perhaps COMMIT. Throws the first error: later ones only say that the transaction has failed. */
async function sendCollected(kept: Collected, end?: 'COMMIT'): Promise<void> {
  const { client, endings } = kept
  kept.endings = []
  const [outcomes, ended] = await pipelined(client, () =>
    Promise.all([
      Promise.all(
        endings.map(({ statements }) =>
          Promise.allSettled(statements().map((statement) => execute(client, statementOfSql(statement)))),
        ),
      ),
      end === undefined ? null : client.query(end),
    ]),
  )
  for (const [index, ending] of endings.entries()) {
    const results = (outcomes[index] ?? []).map((outcome) => {
      if (outcome.status === 'rejected') throw endingError(ending, outcome.reason)
      return outcome.value
    })
    const count = results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0)
    ending.changed?.(
      count,
      results.flatMap(({ rows }) => rows),
    )
  }
  // The database rolls back, without an error, what has failed before.
  if (ended !== null && ended.command !== end) throw new Error('The transaction had failed before its end.')
}

async function runOnce<T>(
  { prisma, joining }: Handle,
  client: PoolClient,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const tx: Tx = Object.assign(Object.create(joining) as Models, queriesOn(pipeline(client)))
  const kept: Collected = { client, endings: [], effects: new Set() }
  collectedBy.set(tx, kept)
  const result = await inTransaction(prisma, client, () => {
    const begun = pipelined(client, () => client.query('BEGIN'))
    // The first statement fails too, and its error is thrown.
    begun.catch(() => undefined)
    return work(tx)
  })
  concluders.getStore()?.(tx, result)
  await sendCollected(kept, 'COMMIT')
  // What an effect starts, such as the worker, does not belong to the call.
  concluders.run(null, () => {
    for (const effect of kept.effects) effect()
  })
  return result
}

type Handle = Pick<Database, 'pool' | 'prisma' | 'joining'>

const attempts = 5

/** Runs `work` in one transaction (read committed). Retries it after a conflict, at most five times. */
export async function transaction<T>(work: (tx: Tx) => Promise<T | Failure>): Promise<T> {
  return transactionOn(database(), work)
}

/** The same on a given database. @internal */
export async function transactionOn<T>(handle: Handle, work: (tx: Tx) => Promise<T | Failure>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await onConnection(handle.pool, (client) => runOnce(handle, client, work))
      if (result instanceof Failure) throw result
      return result
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
    }
  }
}

/** Locks a name until the transaction ends, for rules about several rows ("at most three codes per address"). */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx.run`SELECT ${nameLock(name)}`
}

/** Returns the column that takes this lock, for a statement that locks more. */
export function nameLock(name: string): Sql {
  return sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Takes the same lock if it is free. Returns whether it was taken. */
export async function tryLockName(tx: Tx, name: string): Promise<boolean> {
  const [row] = await tx.rows<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "taken"`
  return row?.taken === true
}

/**
 * Returns the context with the current time, for a command that has waited since its context was made: for its body, or for a lock. The
 * time never goes back.
 */
export function withCurrentTime<C extends { now: Date }>(context: C): C {
  return { ...context, now: latest([context.now, readClock()]) }
}
