/** Continues the log under a new name that names the last checkpoint of the old one, and tells the owners. */
import { areEqual } from '@beak/proofs/bytes'
import { rootOf } from '@beak/proofs/log/merkle'
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { wakeWorker } from '@/lib/infrastructure/events/outbox'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { writerLock } from './append'
import { changedMeanwhile } from './continue-log'
import { enqueueEntry } from './enqueue'
import { logOrigin } from './origin'
import { ContinueRefused, type OwnCheckpoint, readOwnCheckpoint } from './own-entries'
import { findCheckpoint } from './published'
import { readTree } from './tree'

/** Returns the digest of the entry that names the old log: SHA-256, in hex, of the text of its last checkpoint. */
function continuesDigest(checkpoint: { text: string }): string {
  return sha256Hex(checkpoint.text)
}

/**
 * Returns the last checkpoint of the log: the newest one of the database, or the given note, which somebody outside kept. Throws
 * `ContinueRefused` when the log of the database continues the given one, or when there is none.
 */
export async function readLastCheckpoint(given: string | null): Promise<OwnCheckpoint> {
  const origin = await logOrigin()
  const newest = await findCheckpoint(db())
  if (given === null) {
    if (newest === null)
      throw new ContinueRefused('The log has no checkpoint, so there is nothing to continue.')
    return readOwnCheckpoint(newest.note, origin, 'The newest checkpoint of the database')
  }
  const kept = await readOwnCheckpoint(given, origin, 'The given checkpoint')
  // A checkpoint that the database does not continue is of the lost branch, whatever its size.
  if (newest !== null && kept.size < newest.size && (await isBeginning(kept, newest.size)))
    throw new ContinueRefused(
      `The given checkpoint has ${kept.size} entries, and the database has a newer one of ${newest.size} entries that continues it. Leave --checkpoint out.`,
    )
  return kept
}

/** Returns whether a checkpoint is the beginning of the log in the database, which has `size` entries. */
async function isBeginning(checkpoint: OwnCheckpoint, size: number): Promise<boolean> {
  return areEqual(await rootOf(checkpoint.size, readTree(db(), size)), checkpoint.root)
}

/**
 * Gives the log a new name, adds an entry that names the last checkpoint of the old one, and enqueues a mail to every account with a
 * verified address. Returns the new name. Throws `ContinueRefused` when another command has renamed the log meanwhile.
 */
export function continueRenamed(old: OwnCheckpoint, now: Date): Promise<string> {
  return transaction(async (tx) => {
    await lockName(tx, writerLock)
    if ((await logOrigin(tx)) !== old.origin) throw changedMeanwhile()
    const origin = await storeName(tx, old, now)
    enqueueEntry(tx, { kind: 'continues', digest: continuesDigest(old), ducklingId: null })
    await enqueueMails(tx, now)
    return origin
  })
}

/** Stores the next name: the first name of the log and the number. The name of a local log was not stored before. */
async function storeName(tx: Tx, old: OwnCheckpoint, now: Date): Promise<string> {
  await tx.run`
    INSERT INTO "LogName" ("number", "origin", "createdAt")
    SELECT COALESCE(max("number"), 0) + 1, ${old.origin}::text, ${now}::timestamptz FROM "LogName"
    ON CONFLICT ("origin") DO NOTHING`
  const first = old.origin.replace(/\/\d+$/, '')
  const [row] = await tx.rows<{ origin: string }>`
    INSERT INTO "LogName" ("number", "origin", "continues", "createdAt")
    SELECT max("number") + 1, ${first}::text || '/' || (max("number") + 1), ${old.fullNote}::text, ${now}::timestamptz
    FROM "LogName" RETURNING "origin"`
  if (row === undefined) throw new Error('the new name of the log is missing')
  return row.origin
}

/** Enqueues the mails in one statement, because there may be a million accounts. */
async function enqueueMails(tx: Tx, now: Date): Promise<void> {
  const facts = { at: now.toISOString() }
  await tx.run`
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT 'notice_since_0_3',
      jsonb_build_object('duckling_id', "id", 'notice', 'log_continued', 'facts', ${JSON.stringify(facts)}::jsonb),
      ${now}::timestamptz, ${now}::timestamptz
    FROM "Duckling" WHERE "deletedAt" IS NULL AND "email" IS NOT NULL AND "emailVerifiedAt" IS NOT NULL`
  wakeWorker(tx, 'notice_since_0_3')
}
