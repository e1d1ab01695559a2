/** How the stores of a shop reach its database. */

import type { CheckpointStore } from '@beak/proofs/log/checkpoint-store'

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

/** Remembers checkpoints of transparency logs in a database, for all processes of a shop. */

const getText = 'SELECT is_proven, size, root, note FROM beak_checkpoints WHERE origin = ?'
/** One statement, so that the largest of simultaneous checkpoints stays. */
const keepText = `INSERT INTO beak_checkpoints (origin, is_proven, size, root, note) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (origin, is_proven) DO UPDATE SET size = excluded.size, root = excluded.root, note = excluded.note
WHERE excluded.size > beak_checkpoints.size`
const keepForkText = `INSERT INTO beak_forks (origin, remembered, found) VALUES (?, ?, ?)
ON CONFLICT (origin) DO NOTHING`

/**
 * Returns a store in two tables of PostgreSQL or SQLite (3.24 or newer). Create the tables first. To begin anew with a log, for instance after
 * its key was stolen, delete its rows.
 *
 * ```sql
 * CREATE TABLE beak_checkpoints (
 *   origin TEXT NOT NULL, is_proven INTEGER NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL,
 *   PRIMARY KEY (origin, is_proven)
 * );
 * CREATE TABLE beak_forks (origin TEXT PRIMARY KEY, remembered TEXT NOT NULL, found TEXT NOT NULL);
 * ```
 */
export function sqlCheckpoints(run: RunSql, options: SqlOptions = {}): CheckpointStore {
  const query = runnerOf(run, options)
  return {
    async get(origin) {
      const rows = await query(getText, [origin])
      return rows.map(({ is_proven, size, root, note }) => ({
        origin,
        // Drivers of PostgreSQL return a BIGINT as text.
        size: Number(size),
        root: String(root),
        note: String(note),
        isProven: Number(is_proven) === 1,
      }))
    },
    async keep({ origin, isProven, size, root, note }) {
      await query(keepText, [origin, isProven ? 1 : 0, size, root, note])
    },
    async keepFork({ origin, remembered, found }) {
      await query(keepForkText, [origin, remembered, found])
    },
  }
}
