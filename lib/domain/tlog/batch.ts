/**
 * Moves pending entries into the log, one batch in one transaction. The writer skips chains that a command has locked and never
 * waits, so it cannot be part of a deadlock. A skipped chain stays pending.
 */

import { bytesOfText, hex } from '@beak/client/verify/bytes'
import { chainHeadDigest, entryText } from '@beak/client/verify/log/entry'
import { hashOfLeaf } from '@beak/client/verify/log/merkle'
import type { Tx } from '@/lib/db/client'
import type { LogEntryKind } from '@/lib/db/generated/client'
import { storeHashes } from './tree'

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
