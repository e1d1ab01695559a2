/** How the stores of a shop reach its database. */

/**
 * Runs one statement and returns its rows. With `pg`: `async (text, values) => (await pool.query(text, values)).rows`. Do not run it in a
 * transaction that your program may roll back.
 */
export type RunSql = (
  text: string,
  values: (string | number | null)[],
) => readonly Record<string, unknown>[] | Promise<readonly Record<string, unknown>[]>

/** How the statements name their values. */
export interface SqlOptions {
  /** `$` as in PostgreSQL, or `?` as drivers of SQLite expect. Default: `$`. */
  placeholders?: '$' | '?' | undefined
}

/** Returns a function that runs a statement. In the statement, each `?` is one value. */
export function runnerOf(run: RunSql, { placeholders = '$' }: SqlOptions): RunSql {
  return (text, values) => {
    let count = 0
    return run(placeholders === '?' ? text : text.replace(/\?/g, () => `$${++count}`), values)
  }
}
