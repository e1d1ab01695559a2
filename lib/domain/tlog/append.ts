/**
 * Moves pending entries into the log, one batch in one transaction. The writer skips chains that a command has locked and never
 * waits, so it cannot be part of a deadlock. A skipped chain stays pending.
 */

import { bytesOfText, hex } from '@beak/proofs/bytes'
import { formatCheckpoint } from '@beak/proofs/log/checkpoint'
import { chainHeadDigest, entryText } from '@beak/proofs/log/entry'
import { hashOfLeaf, rootOf } from '@beak/proofs/log/merkle'
import { db, type Tx } from '@/lib/db/client'
import type { LogEntryKind } from '@/lib/db/generated/client'
import { lockName, transaction, tryLockName } from '@/lib/db/transaction'
import { isBesideFirstRelease } from '@/lib/infrastructure/events/signals'
import { type LogKey, logKey } from '@/lib/infrastructure/keys/log-keys'
import { minute } from '@/lib/kernel/runtime/clock'
import { keepName, logVerifierKey, originSql } from './origin'
import { signNote } from './sign-note'
import { readTree, storeHashes } from './tree'

interface NewEntry {
  kind: LogEntryKind
  /** Hex. */
  digest: string
  ducklingId: string | null
  seq: number | null
  passkeyId: string | null
  subjectId: string | null
}

type Queued = Omit<NewEntry, 'seq'> & { id: bigint }

/**
 * Sorts entries by digest. Sorted by account id, they would reveal something: ids are ordered by time, so somebody with two accounts
 * could see whether an account created between them did something. Entries of one passkey have the same digest and keep their order.
 */
const byDigest = (left: NewEntry, right: NewEntry) =>
  left.digest === right.digest ? 0 : left.digest < right.digest ? -1 : 1

/** Appends at most `limit` pending entries after the first `size` entries. Returns how many pending rows it took and the new size. */
export async function appendBatch(
  tx: Tx,
  now: Date,
  size: number,
  limit: number,
): Promise<{ taken: number; size: number }> {
  const queued = await takeQueued(tx, limit)
  const heads = await takeHeads(tx, limit - queued.length)
  const entries = [...queued, ...heads.entries].sort(byDigest)
  await insertEntries(tx, now, size, entries)
  return { taken: queued.length + heads.taken, size: size + entries.length }
}

/** Takes the entries that commands have enqueued, the oldest commands first, and passkeys before all, because decisions name them. */
async function takeQueued(tx: Tx, limit: number): Promise<NewEntry[]> {
  const passkeys = await tx.rows<Queued>`
    DELETE FROM "LogPending" WHERE "id" IN (SELECT "id" FROM "LogPending" ORDER BY "id" LIMIT ${limit}::int)
    RETURNING "id", "kind"::text, encode("digest", 'hex') AS "digest", "ducklingId", "passkeyId", "subjectId"`
  const others = await tx.rows<Queued>`
    DELETE FROM "LogQueue" WHERE "id" IN (SELECT "id" FROM "LogQueue" ORDER BY "id" LIMIT ${limit - passkeys.length}::int)
    RETURNING "id", "kind"::text, encode("digest", 'hex') AS "digest", "ducklingId", NULL AS "passkeyId", "subjectId"`
  return [passkeys, others].flatMap((rows) =>
    rows
      .sort((left, right) => Number(left.id - right.id))
      .map(({ id: _, ...entry }) => ({ ...entry, seq: null })),
  )
}

interface PendingHead {
  ducklingId: string
  seq: number
  hash: string
  /** The newest entry of this chain in the log, as text. */
  logged: string | null
}

/** Takes the heads of changed chains. A head that is in the log already is taken but not entered again. */
async function takeHeads(tx: Tx, limit: number): Promise<{ taken: number; entries: NewEntry[] }> {
  if (limit === 0) return { taken: 0, entries: [] }
  const heads = await tx.rows<PendingHead>`
    SELECT c."ducklingId", c."seq", c."hash", convert_from(newest."data", 'UTF8') AS "logged"
    FROM "AuditChain" c LEFT JOIN LATERAL (
      SELECT e."data" FROM "LogEntry" e WHERE e."ducklingId" = c."ducklingId" AND e."seq" IS NOT NULL
      ORDER BY e."seq" DESC, e."index" DESC LIMIT 1) newest ON true
    WHERE c."logPending" ORDER BY c."ducklingId" LIMIT ${limit}::int FOR UPDATE OF c SKIP LOCKED`
  if (heads.length === 0) return { taken: 0, entries: [] }
  await tx.run`
    UPDATE "AuditChain" SET "logPending" = false WHERE "ducklingId" = ANY(${heads.map(({ ducklingId }) => ducklingId)}::text[])`
  const entries = heads.flatMap(({ logged, ...head }): NewEntry[] => {
    const digest = chainHeadDigest(head)
    if (logged === entryText('chain_head', digest)) return []
    const { ducklingId, seq } = head
    return [{ kind: 'chain_head', digest, ducklingId, seq, passkeyId: null, subjectId: null }]
  })
  return { taken: heads.length, entries }
}

/** Inserts entries and their hashes. The primary key rejects an index that another writer has used, so the log cannot fork even without the lock. */
async function insertEntries(tx: Tx, now: Date, size: number, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  const texts = entries.map(({ kind, digest }) => entryText(kind, digest))
  const leaves = texts.map((text) => hashOfLeaf(bytesOfText(text)))
  const rows = entries.map(({ digest: _, ...entry }, place) => ({
    ...entry,
    index: size + place,
    data: texts[place],
    leaf: hex(leaves[place] ?? new Uint8Array()),
  }))
  await tx.run`
    INSERT INTO "LogEntry" ("index", "kind", "data", "leafHash", "ducklingId", "seq", "passkeyId", "subjectId", "createdAt")
    SELECT r."index", r."kind", convert_to(r."data", 'UTF8'), decode(r."leaf", 'hex'), r."ducklingId", r."seq", r."passkeyId", r."subjectId", ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
      "index" bigint, "kind" "LogEntryKind", "data" text, "leaf" text, "ducklingId" text, "seq" int, "passkeyId" text, "subjectId" text)`
  await storeHashes(tx, size, leaves)
}

/** Signs the first `size` entries under a name of the log, and publishes the checkpoint. */
async function signCheckpoint(
  tx: Tx,
  now: Date,
  { origin, size }: { origin: string; size: number },
  { kid, x, privateKey }: LogKey,
): Promise<void> {
  const root = await rootOf(size, readTree(tx, size))
  const text = formatCheckpoint({ origin, size, root })
  const note = `${text}\n${signNote(text, logVerifierKey(origin, x), privateKey)}`
  await tx.logCheckpoint.create({
    data: { size, origin, kid, root: new Uint8Array(root), note, createdAt: now },
  })
}

/**
 * The writer of the transparency log. At most once a minute, and only when something changed, it appends the heads of changed
 * audit chains and the passkeys that were added or removed, and signs a checkpoint. Entries are published with the next checkpoint.
 *
 * All instances share one log: a lock lets one of them write at a time, and the time of the last checkpoint is in the database. Each
 * batch is a separate transaction, so the next writer continues the log of a writer that was killed.
 */

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
