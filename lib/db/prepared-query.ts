/**
 * Runs a prepared statement. The driver's own query requests the description of the columns at every execution. This query requests it once for
 * each statement and connection. PostgreSQL rejects a prepared statement whose columns have changed (`cached plan must not change result type`).
 * Behind PgBouncer, the next server of a connection may have prepared it with other columns: see `handleDataRow`.
 */
import { type Connection, type FieldDef, type PoolClient, Query } from 'pg'
import { noteDiskError } from './full-disk'
import { columnTypes, type Result, type Statement } from './sql'

/** The columns of a statement. Their names are unique. */
interface Columns {
  names: string[]
  parsers: ((text: string) => unknown)[]
  /** A row of NULLs. Copying and filling it takes half as long as adding each property to a new object. */
  empty: Record<string, unknown>
}

const noColumns: Columns = { names: [], parsers: [], empty: {} }

/** The columns of the statements that a connection has described, by the name of the statement. */
const columnsOf = new WeakMap<Connection, Map<string, Columns>>()
/** What `withoutDescribe` has returned. */
const silent = new WeakMap<Connection, Connection>()

/** Returns the connection without `describe`, for the driver's `prepare`. */
function withoutDescribe(connection: Connection): Connection {
  let found = silent.get(connection)
  if (found === undefined) {
    found = Object.create(connection, { describe: { value: () => undefined } }) as Connection
    silent.set(connection, found)
  }
  return found
}

type Done = (error: Error | null, result?: Result) => void

/** What the driver calls while it runs a query (lib/query.js and lib/client.js of pg). `@types/pg` does not declare it. */
interface DriverQuery extends Query {
  name: string
  callback: Done
  prepare(connection: Connection): void
}

const DriverQuery = Query as unknown as new (text: string, values: unknown[]) => DriverQuery

/** A subclass, because the driver refuses other query classes in pipeline mode. All values arrive as text. */
class PreparedQuery extends DriverQuery {
  #columns = noColumns
  #rows: Record<string, unknown>[] = []
  #rowCount: number | null = null
  #error: Error | null = null
  #isDescribed = false

  constructor({ text, values }: Statement, name: string, done: Done) {
    super(text, values)
    // Given to the constructor, they would be copied with their property descriptors.
    this.name = name
    this.callback = done
  }

  override prepare(connection: Connection): void {
    const known = columnsOf.get(connection)?.get(this.name)
    this.#isDescribed = known !== undefined
    this.#columns = known ?? noColumns
    super.prepare(this.#isDescribed ? withoutDescribe(connection) : connection)
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const names = fields.map(({ name }) => name)
    this.#columns = {
      names,
      parsers: fields.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#error !== null) return
    const { names, parsers, empty } = this.#columns
    if (fields.length !== names.length) {
      this.#error = new Error('The statement has other columns than before.')
      return
    }
    const row = { ...empty }
    try {
      for (let index = 0; index < names.length; index++) {
        const text = fields[index] ?? null
        if (text !== null) row[names[index] as string] = parsers[index]?.(text)
      }
    } catch (error) {
      this.#error = error as Error
    }
    this.#rows.push(row)
  }

  /** `text`: for instance `INSERT 0 3`, `SELECT 2` or `BEGIN`. */
  handleCommandComplete({ text }: { text: string }): void {
    const count = / (\d+)$/.exec(text)?.[1]
    this.#rowCount = count === undefined ? null : Number(count)
  }

  handleReadyForQuery(connection: Connection): void {
    const known = columnsOf.get(connection) ?? new Map<string, Columns>()
    if (this.#error !== null) known.delete(this.name)
    else if (!this.#isDescribed) columnsOf.set(connection, known.set(this.name, this.#columns))
    this.callback(this.#error, { rows: this.#rows, rowCount: this.#rowCount })
  }
}

/** Sends a statement on a connection. A statement without a name goes to the driver's own query. */
export async function execute(client: PoolClient, statement: Statement): Promise<Result> {
  const { name } = statement
  if (name === undefined) return client.query(statement)
  try {
    return await new Promise<Result>((resolve, reject) => {
      client.query(
        new PreparedQuery(statement, name, (error, result) => {
          if (error !== null || result === undefined) reject(error)
          else resolve(result)
        }),
      )
    })
  } catch (error) {
    // The stack of the driver leads to its socket, this one to the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    noteDiskError(error)
    throw error
  }
}
