/**
 * The writer of the transparency log. At most once a minute, and only when something changed, it appends the heads of changed
 * audit chains and the passkeys that were added or removed, and signs a checkpoint. Entries are published with the next checkpoint.
 *
 * All instances share one log: a lock lets one of them write at a time, and the time of the last checkpoint is in the database. Each
 * batch is a separate transaction, so the next writer continues the log of a writer that was killed.
 */
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction, tryLockName } from '@/lib/db/transaction'
import { isBesideFirstRelease } from '@/lib/infrastructure/events/signals'
import { logKey } from '@/lib/infrastructure/keys/log-keys'
import { minute } from '@/lib/kernel/clock'
import { appendBatch } from './batch'
import { keepName, originSql } from './origin'
import { signCheckpoint } from './sign'

/** How often a worker looks whether the log needs it. */
export const everySeconds = 10
/** Rows in a batch. Commands that change one of these chains wait for the batch, so it must be short. */
export const batchRows = 1_000
/** After this time, a run signs what it has appended, and the next run continues. The first run continues until nothing is pending. */
const runMilliseconds = 20_000
/** The lock of the writer. Every transaction that changes the log or its name takes it first. */
export const writerLock = 'transparency-log'

export interface AppendOptions {
  /** Appends even when the newest checkpoint is less than a minute old, and waits for another writer. For tests and command lines. */
  force?: boolean
  /** How long the run may append before it signs. For tests. */
  milliseconds?: number
}

interface Run {
  now: Date
  force: boolean
  /** When the run has to sign, by `performance.now`. */
  end: number
}

/** Appends pending entries and signs a checkpoint, when that is due. Called by the worker. Returns at once while another writer has the lock. */
export async function appendToLog(
  now: Date,
  { force = false, milliseconds = runMilliseconds }: AppendOptions = {},
): Promise<void> {
  const run: Run = { now, force, end: performance.now() + milliseconds }
  const { kid } = await logKey(now)
  if (!isDue(await readState(db(), kid), run)) return
  while (!(await transaction((tx) => writeBatch(tx, run))));
}

interface State {
  hasPending: boolean
  /** The present name of the log. */
  origin: string
  /** Entries in the log, including those that no checkpoint covers yet. */
  size: number
  /** The newest checkpoint of this origin by the key that signs now. */
  newest: { size: number; signedAt: Date } | null
}

/**
 * Reads the state of the log in one statement, because the worker does this every few seconds. ORDER BY makes
 * PostgreSQL use the partial index; for a plain EXISTS it may read the whole table.
 */
async function readState(tx: Tx, kid: string): Promise<State> {
  const [row] = await tx.rows<{
    origin: string
    hasPending: boolean
    size: bigint
    signedSize: bigint | null
    signedAt: Date | null
  }>`
    SELECT n."origin",
      (SELECT "ducklingId" FROM "AuditChain" WHERE "logPending" ORDER BY "ducklingId" LIMIT 1) IS NOT NULL
        OR EXISTS (SELECT 1 FROM "LogPending") OR EXISTS (SELECT 1 FROM "LogQueue") AS "hasPending",
      COALESCE((SELECT "index" + 1 FROM "LogEntry" ORDER BY "index" DESC LIMIT 1), 0) AS "size",
      c."size" AS "signedSize", c."createdAt" AS "signedAt"
    FROM (SELECT ${originSql()} AS "origin") n LEFT JOIN LATERAL (
      SELECT "size", "createdAt" FROM "LogCheckpoint" WHERE "origin" = n."origin" AND "kid" = ${kid}
      ORDER BY "size" DESC LIMIT 1) c ON true`
  if (row === undefined) throw new Error('the state of the log is missing')
  const { origin, hasPending, size, signedSize, signedAt } = row
  const newest = signedSize === null || signedAt === null ? null : { size: Number(signedSize), signedAt }
  return { origin, hasPending, size: Number(size), newest }
}

/**
 * Returns whether the log needs a writer now. A new origin or a new key gets its first checkpoint at once. A checkpoint from the future,
 * signed before the clock was set back, does not stop the log.
 */
function isDue({ hasPending, size, newest }: State, { now, force }: Run): boolean {
  if (newest === null) return true
  if (!hasPending && size === newest.size) return false
  // A worker of 0.2.0 leaves out what it does not know. It waits for the whole minute, so this one comes first.
  const pause = isBesideFirstRelease() ? minute - 2 * everySeconds : minute
  return force || Math.abs(now.getTime() - newest.signedAt.getTime()) >= pause * 1000
}

/** Appends one batch, and signs after the last one. Returns whether the run is finished. */
async function writeBatch(tx: Tx, run: Run): Promise<boolean> {
  const { now, force, end } = run
  if (force) await lockName(tx, writerLock)
  else if (!(await tryLockName(tx, writerLock))) return true
  // Read again under the lock: another writer may have finished meanwhile.
  const key = await logKey(now, tx)
  const state = await readState(tx, key.kid)
  if (!isDue(state, run)) return true
  const { taken, size } = await appendBatch(tx, now, state.size, batchRows)
  if (taken === batchRows) {
    if (performance.now() < end) return false
    // The first checkpoint waits for everything that is pending. Otherwise accounts whose entries come in a later run would find old
    // events that a signed checkpoint does not cover, which looks like an attack.
    if (state.newest === null) return true
  }
  if (state.newest === null || size > state.newest.size) {
    if (state.newest === null) await keepName(tx, state.origin, now)
    await signCheckpoint(tx, now, { origin: state.origin, size }, key)
  }
  return true
}
