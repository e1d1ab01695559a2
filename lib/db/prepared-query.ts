/**
 * Runs a prepared statement. The driver's own query takes longer to read the columns and rows, and to copy the statement: with it, the list of
 * sessions costs the server a quarter more CPU time (docs/decisions/0001).
 */
import { type FieldDef, type PoolClient, Query } from 'pg'
import { noteDiskError } from './full-disk'
import { columnTypes, type Result, type Statement } from './sql'

type Done = (error: Error | null, result?: Result) => void

/** What the driver reads and calls while it runs a query (lib/query.js and lib/client.js of pg). `@types/pg` does not declare it. */
interface DriverQuery extends Query {
  name: string
  callback: Done
}

const DriverQuery = Query as unknown as new (text: string, values: unknown[]) => DriverQuery

/** A subclass, because the driver refuses other query classes in pipeline mode. All values arrive as text. */
class PreparedQuery extends DriverQuery {
  #names: string[] = []
  #parsers: ((text: string) => unknown)[] = []
  /** A row of NULLs. Copying and filling it takes half as long as adding each property to a new object. */
  #empty: Record<string, unknown> = {}
  #rows: Record<string, unknown>[] = []
  #rowCount: number | null = null
  #error: Error | null = null

  constructor({ text, values }: Statement, name: string, done: Done) {
    super(text, values)
    // Given to the constructor, they would be copied with their property descriptors.
    this.name = name
    this.callback = done
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#names = fields.map(({ name }) => name)
    this.#parsers = fields.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID))
    for (const name of this.#names) this.#empty[name] = null
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const names = this.#names
    const row = { ...this.#empty }
    try {
      for (let index = 0; index < names.length; index++) {
        const text = fields[index] ?? null
        if (text !== null) row[names[index] as string] = this.#parsers[index]?.(text)
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

  handleReadyForQuery(): void {
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
