/**
 * Reads a large table in windows of its primary key, for conditions without an index. No statement reaches its time limit, however
 * many rows the table has.
 */
import { db, Prisma, type Tx } from './client'
import { transaction } from './transaction'

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
