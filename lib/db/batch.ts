/**
 * Gathers simultaneous lookups by key into one statement (`= ANY($1)`). Every lookup reads the database: its statement is sent after it
 * was asked for, so it sees everything that was committed before.
 */

import type { ClientBase } from 'pg'
import { db, Prisma, type Tx } from './client'
import { transaction } from './transaction'

interface Waiting<Row> {
  resolve(row: Row | null): void
  reject(error: unknown): void
}

/** Keys of one statement. */
const keysMax = 200
/** Statements of one lookup at a time. While they run, further lookups gather. */
const runningMax = 2

/** Returns a function that finds a row by key, or null. `read` returns the rows of some keys, in any order. */
export function batched<Row>(
  keyOf: (row: Row) => string,
  read: (keys: string[]) => Promise<Row[]>,
): (key: string) => Promise<Row | null> {
  let gathered = new Map<string, Waiting<Row>[]>()
  let isScheduled = false
  let running = 0

  function schedule(): void {
    if (isScheduled || running >= runningMax || gathered.size === 0) return
    isScheduled = true
    // After the callbacks of all requests that have arrived.
    setImmediate(() => {
      isScheduled = false
      void send()
    })
  }

  async function send(): Promise<void> {
    const batch = gathered
    gathered = new Map()
    running++
    try {
      const rows = await read([...batch.keys()])
      for (const row of rows) settle(batch, keyOf(row), (waiting) => waiting.resolve(row))
      for (const key of batch.keys()) settle(batch, key, (waiting) => waiting.resolve(null))
    } catch (error) {
      for (const key of batch.keys()) settle(batch, key, (waiting) => waiting.reject(error))
    } finally {
      running--
      schedule()
    }
  }

  function settle(batch: typeof gathered, key: string, end: (waiting: Waiting<Row>) => void): void {
    for (const waiting of batch.get(key) ?? []) end(waiting)
    batch.delete(key)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const waiting = gathered.get(key)
      if (waiting) waiting.push({ resolve, reject })
      else gathered.set(key, [{ resolve, reject }])
      if (gathered.size >= keysMax) void send()
      else schedule()
    })
}

/** Reads the result of a query in batches, for results that do not fit into memory. */

const batch = 500

/** Reads a query with a cursor. Works only inside a transaction, and not within another cursor. */
export async function* readBatches<Row extends object>(
  client: ClientBase,
  query: string,
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${query}`)
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${batch} FROM batches`)
    if (rows.length > 0) yield rows
    if (rows.length < batch) break
  }
  await client.query('CLOSE batches')
}

/**
 * Reads a large table in windows of its primary key, for conditions without an index. No statement reaches its time limit, however
 * many rows the table has.
 */

/** Rows per window: about 15 MB of certificates, which a slow disk reads well within the time limit of a statement. */
const windowRows = 10_000

export type WindowedTable = 'Certificate' | 'Session'

const name = (table: WindowedTable) => Prisma.raw(`"${table}"`)

/** Returns the last id of the window after `after` ('' for the first window), or null when no row follows. */
export async function endOfWindow(
  table: WindowedTable,
  after: string,
  rows = windowRows,
): Promise<string | null> {
  const [row] = await db().rows<{ end: string | null }>`
    SELECT max("id") AS "end" FROM (
      SELECT "id" FROM ${name(table)} WHERE "id" > ${after} ORDER BY "id" LIMIT ${rows}) AS w`
  return row?.end ?? null
}

/** SQL condition: the row is in the window after `after` up to and including `end`. */
const inWindow = (after: string, end: string) => Prisma.sql`"id" > ${after} AND "id" <= ${end}`

/** Counts the rows that meet a condition, window by window. */
export async function countInWindows(
  table: WindowedTable,
  condition: Prisma.Sql,
  rows = windowRows,
): Promise<number> {
  let count = 0
  for (let after = ''; ; ) {
    const end = await endOfWindow(table, after, rows)
    if (end === null) return count
    const [row] = await db().rows<{ count: number }>`
      SELECT count(*)::int AS "count" FROM ${name(table)} WHERE ${inWindow(after, end)} AND ${condition}`
    count += row?.count ?? 0
    after = end
  }
}

/** Rows per transaction: few enough that other transactions hardly wait. */
export const batchRows = 200

export interface ChangedBatch {
  count: number
  /** The id after which the next batch begins. Null at the end of the table. */
  next: string | null
}

/**
 * Changes the next rows after `after` ('' for the first batch) in one transaction. `change` gets the SQL condition of the window. It
 * must find at most `batchRows` rows in order of their ids, and return these ids and the number of changed rows.
 */
export async function changeBatch(
  table: WindowedTable,
  after: string,
  change: (tx: Tx, isInWindow: Prisma.Sql) => Promise<{ found: string[]; count: number }>,
): Promise<ChangedBatch> {
  const end = await endOfWindow(table, after)
  if (end === null) return { count: 0, next: null }
  const { found, count } = await transaction((tx) => change(tx, inWindow(after, end)))
  return { count, next: (found.length === batchRows ? found.at(-1) : undefined) ?? end }
}
