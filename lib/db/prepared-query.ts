/**
 * Runs a prepared statement. The driver's own query asks PostgreSQL to describe the columns of every execution, and makes each row from the
 * description. This one asks once for each statement of a connection. A prepared statement never changes its columns: PostgreSQL fails it instead
 * (`cached plan must not change result type`).
 */
import { type Connection, type PoolClient, Query } from 'pg'
import { columnTypes, type Result, type Statement } from './sql'

/** The columns of a statement. */
interface Columns {
  names: string[]
  parsers: ((text: string) => unknown)[]
  /** A row of NULLs. A copy of it is filled in half the time in which an object without properties is. */
  empty: Record<string, unknown>
}

const noColumns: Columns = { names: [], parsers: [], empty: {} }

/** The columns that a connection knows, by the name of the statement. */
const columnsOf = new WeakMap<Connection, Map<string, Columns>>()
/** A connection that leaves out the description, for the driver's `prepare`. */
const withoutDescription = new WeakMap<Connection, Connection>()

function undescribed(connection: Connection): Connection {
  let made = withoutDescription.get(connection)
  if (made === undefined) {
    made = Object.create(connection, { describe: { value: () => undefined } }) as Connection
    withoutDescription.set(connection, made)
  }
  return made
}

type Done = (error: Error | null, result?: Result) => void

/** What the driver calls of a query while it runs (lib/query.js and lib/client.js of pg). `@types/pg` does not declare it. */
interface DriverQuery extends Query {
  name: string
  callback: Done
  prepare(connection: Connection): void
}

const DriverQuery = Query as unknown as new (text: string, values: unknown[]) => DriverQuery

/** A class of its own, because the driver refuses other queries when it sends several in one write. */
class PreparedQuery extends DriverQuery {
  #columns = noColumns
  #rows: Record<string, unknown>[] = []
  #rowCount: number | null = null
  #error: Error | null = null

  constructor({ text, values }: Statement, name: string, done: Done) {
    super(text, values)
    // Given to the constructor, they would be copied with their property descriptors.
    this.name = name
    this.callback = done
  }

  override prepare(connection: Connection): void {
    const known = columnsOf.get(connection)?.get(this.name)
    if (known !== undefined) this.#columns = known
    super.prepare(known === undefined ? connection : undescribed(connection))
  }

  handleRowDescription({
    fields,
  }: {
    fields: { name: string; dataTypeID: number; format: 'text' | 'binary' }[]
  }) {
    const names = fields.map(({ name }) => name)
    this.#columns = {
      names,
      parsers: fields.map(({ dataTypeID, format }) => columnTypes.getTypeParser(dataTypeID, format)),
      empty: Object.fromEntries(names.map((name) => [name, null])),
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#error !== null) return
    const { names, parsers, empty } = this.#columns
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
    const columns = columnsOf.get(connection) ?? new Map<string, Columns>()
    columnsOf.set(connection, columns.set(this.name, this.#columns))
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
    throw error
  }
}
