/**
 * The way to write SQL. A statement is a tagged template: every value becomes a parameter, and a fragment that `sql` made becomes a part
 * of the text. The database prepares each text once for each connection, under a name, and afterwards only binds and runs it.
 */
import { types as drivers, type QueryResult } from 'pg'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { Prisma } from './generated/client'

/** Makes a statement, or a part of one. */
export const sql = Prisma.sql
export type Sql = Prisma.Sql

const rowOf = (table: string, value: string, column: string) =>
  `LATERAL (SELECT * FROM "${table}" WHERE "${column}" = ${value} LIMIT 1)`

/**
 * Joins the row of `table` whose unique `column` is `value`, an expression with columns of the tables before it. The planner of a plain join
 * can read all of a table. It does so while the tables are nearly empty, and a prepared statement keeps its plan. The limit prevents that.
 */
export const joinRow = (table: string, alias: string, value: string, column = 'id'): Sql =>
  Prisma.raw(`CROSS JOIN ${rowOf(table, value, column)} ${alias}`)

/** The same, with NULL in the columns of `alias` when there is no such row. */
export const leftJoinRow = (table: string, alias: string, value: string, column = 'id'): Sql =>
  Prisma.raw(`LEFT JOIN ${rowOf(table, value, column)} ${alias} ON true`)

/** Runs statements, inside a transaction or without one. */
export interface Queries {
  /** Returns the rows of a statement. `Row` declares its columns. */
  rows<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  /** Runs a statement and returns the number of rows that it changed. */
  run(strings: TemplateStringsArray, ...values: unknown[]): Promise<number>
}

/**
 * Settings of connections that serve requests. The plan of a prepared statement lasts as long as its connection. A plan that was made
 * while a table was nearly empty would read the whole table, later a large one. Every statement that serves requests reads few rows
 * and has its indexes, so other plans are excluded. Planning again for each set of values, and compiling a plan, would take longer than
 * these statements run. A condition of a partial index must be in the text of a statement, not in a value.
 */
export const planSettings = [
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'plan_cache_mode=force_generic_plan',
  'random_page_cost=1.1',
  'jit=off',
]

/** What the driver takes. */
export interface Statement {
  name: string | undefined
  text: string
  values: unknown[]
}

/**
 * The code contains about 800 texts, and statements that travel together make a few hundred more. Many more would mean that a text is built
 * from values. Those are not prepared, so that no memory grows.
 */
const namesMax = 4_000
/** One map for the whole process, because the bundles of the server and of the pages share the connections. */
const names = singleton('sql.names', () => new Map<string, string>())

/** Returns the name under which a text is prepared. It is the same on all connections. */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= namesMax) return known
  const name = `beak_${names.size}`
  names.set(text, name)
  return name
}

/** The text and name of templates without fragments, so that they are joined once. */
const plainTemplates = new WeakMap<TemplateStringsArray, Omit<Statement, 'values'>>()

/** Returns the statement of a template. */
function statementOf(strings: TemplateStringsArray, values: unknown[]): Statement {
  if (values.some((value) => value instanceof Prisma.Sql)) return statementOfSql(sql(strings, ...values))
  let plain = plainTemplates.get(strings)
  if (plain === undefined) {
    const text = strings.reduce((joined, part, index) => `${joined}$${index}${part}`)
    plain = { text, name: statementName(text) }
    plainTemplates.set(strings, plain)
  }
  return { ...plain, values: values.map(parameterOf) }
}

export function statementOfSql(statement: Sql): Statement {
  const { text, values } = statement
  return { text, name: statementName(text), values: values.map(parameterOf) }
}

/** The driver would write a time in the zone of this process, and slowly. */
function parameterOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.map(parameterOf) : value
}

const { builtins } = drivers
type Parser = (text: string) => unknown

const parseBytes = drivers.getTypeParser(builtins.BYTEA) as (text: string) => Buffer

/** The parsers of types that the driver would read in another way than Prisma does, and of times: its own parser takes three times as long. */
const parsers = new Map<number, Parser>([
  [builtins.INT8, BigInt],
  [builtins.TIMESTAMPTZ, (text) => new Date(text)],
  [builtins.DATE, (text) => new Date(`${text}T00:00:00Z`)],
  [builtins.BYTEA, (text) => new Uint8Array(parseBytes(text))],
])

/** Reads columns as Prisma does: `Date`, `bigint` and `Uint8Array`. */
export const columnTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || drivers.getTypeParser(oid, format as 'text'),
}

/** What a statement returns. */
export type Result = Pick<QueryResult, 'rows' | 'rowCount'>

/** A connection or a pool. */
export interface Driver {
  query(statement: Statement): Promise<Result>
}

/** Returns `rows`, which go to `readers`, and `run`, which goes to `writers`. */
export function queriesOn(writers: Driver, readers = writers): Queries {
  return {
    rows: async (strings, ...values) => (await readers.query(statementOf(strings, values))).rows,
    run: async (strings, ...values) => (await writers.query(statementOf(strings, values))).rowCount ?? 0,
  }
}
