/** Reads the entries of one account that a checkpoint covers. The published log does not show the account of an entry. */

import { type Checkpoint, parseCheckpoint } from '@beak/proofs/log/checkpoint'
import type { EntryKind } from '@beak/proofs/log/entry'
import type { LoggedHead } from '@beak/proofs/log/kept-proof'
import { openNote, parseNote } from '@beak/proofs/log/note'
import type { VerifierKey } from '@beak/proofs/log/verifier-key'
import { Prisma, type Tx } from '@/lib/db/client'
import { logPublicKeys } from '@/lib/infrastructure/keys/log-keys'
import { config } from '@/lib/kernel/config'
import { logVerifierKey } from './origin'

export interface OwnEntry {
  index: number
  kind: EntryKind
  /** The published bytes. */
  data: Buffer
  leafHash: Buffer
  seq: number | null
  /** For a chain head: the current hash of the event in the audit log. */
  hash: string | null
  passkeyId: string | null
}

async function readEntries(tx: Tx, ducklingId: string, size: number, rest: Prisma.Sql): Promise<OwnEntry[]> {
  const rows = await tx.rows<Omit<OwnEntry, 'index'> & { index: bigint }>`
    SELECT e."index", e."kind"::text, e."data", e."leafHash", e."seq", a."hash", e."passkeyId"
    FROM "LogEntry" e LEFT JOIN "AuditEvent" a ON a."ducklingId" = e."ducklingId" AND a."seq" = e."seq"
    WHERE e."ducklingId" = ${ducklingId} AND e."index" < ${size}::bigint AND ${rest}`
  return rows.map((row) => ({
    ...row,
    index: Number(row.index),
    data: Buffer.from(row.data),
    leafHash: Buffer.from(row.leafHash),
  }))
}

/**
 * Returns the newest logged head of the account's chain, or null. Only heads have a `seq`. Sorts by `seq`: sorted by
 * `index` alone, PostgreSQL may read the whole log backwards until it finds an entry of this account.
 */
export async function findNewestHead(tx: Tx, ducklingId: string, size: number): Promise<OwnEntry | null> {
  const newest = Prisma.sql`e."seq" IS NOT NULL ORDER BY e."seq" DESC, e."index" DESC LIMIT 1`
  return (await readEntries(tx, ducklingId, size, newest))[0] ?? null
}

/** Returns the first logged head that covers event `seq`: the head with that number, or the next one after it; null when there is none. */
export async function findHeadOf(
  tx: Tx,
  ducklingId: string,
  size: number,
  seq: number,
): Promise<OwnEntry | null> {
  // Two heads with the same number show that the chain was rewritten. The newer one belongs to the current chain.
  const covering = Prisma.sql`e."seq" >= ${seq}::int ORDER BY e."seq", e."index" DESC LIMIT 1`
  return (await readEntries(tx, ducklingId, size, covering))[0] ?? null
}

/** Returns every logged head of the account's chain, oldest first. */
export async function listHeads(tx: Tx, ducklingId: string, size: number): Promise<LoggedHead[]> {
  const rows = await tx.rows<{ index: bigint; seq: number; data: Uint8Array }>`
    SELECT "index", "seq", "data" FROM "LogEntry"
    WHERE "ducklingId" = ${ducklingId} AND "seq" IS NOT NULL AND "index" < ${size}::bigint ORDER BY "index"`
  return rows.map(({ index, seq, data }) => ({ index: Number(index), seq, digest: digestIn(data) }))
}

/** An entry of the account that is no head. `createdAt`: when it was entered. */
export interface OtherEntry {
  index: number
  kind: EntryKind
  digest: string
  passkeyId: string | null
  subjectId: string | null
  createdAt: Date
}

/**
 * Returns the entries of the account besides heads, the newest first: of passkeys, decisions, uses and revocations. `size`: only those below
 * this index. Sorts by `seq` first, which they do not have, so that PostgreSQL reads an index of the account and not the whole log.
 */
export async function listOthers(
  tx: Tx,
  ducklingId: string,
  { size, limit }: { size: number; limit: number | null },
): Promise<OtherEntry[]> {
  const rows = await tx.rows<Omit<OtherEntry, 'index' | 'digest'> & { index: bigint; data: Uint8Array }>`
    SELECT "index", "kind"::text, "data", "passkeyId", "subjectId", "createdAt" FROM "LogEntry"
    WHERE "ducklingId" = ${ducklingId} AND "seq" IS NULL AND "index" < ${size}::bigint
    ORDER BY "seq" DESC, "index" DESC LIMIT ${limit}::int`
  return rows.map(({ index, data, ...entry }) => ({ ...entry, index: Number(index), digest: digestIn(data) }))
}

/** Returns the digest in the bytes of an entry. */
export function digestIn(data: Uint8Array): string {
  return String((JSON.parse(Buffer.from(data).toString()) as { digest: unknown }).digest)
}

/** Returns the entries of a passkey of the account, oldest first. */
export function listPasskeyEntries(
  tx: Tx,
  ducklingId: string,
  size: number,
  passkeyId: string,
): Promise<OwnEntry[]> {
  return readEntries(tx, ducklingId, size, Prisma.sql`e."passkeyId" = ${passkeyId} ORDER BY e."index"`)
}

/** Checkpoints of this log that came back from outside: from a mirror, a witness or an owner. */

/** Thrown when the log cannot be continued as asked. Nothing was changed. The message is for the operator. */
export class ContinueRefused extends Error {
  override readonly name = 'ContinueRefused'
}

/** A checkpoint that a trusted key of this log has signed. */
export interface OwnCheckpoint extends Checkpoint {
  /** The text with the signature of the log, without cosignatures. */
  note: string
  kid: string
  /** The note as it was given, with cosignatures. */
  fullNote: string
  /** The text that is signed. */
  text: string
  cosignatures: { witness: string; line: string }[]
}

/** Reads a note as a checkpoint of the log with this name. `what` names the note in messages. Throws `ContinueRefused`. */
export async function readOwnCheckpoint(note: string, origin: string, what: string): Promise<OwnCheckpoint> {
  const parsed = parseNote(note)
  const checkpoint = parsed && parseCheckpoint(parsed.text)
  if (!parsed || !checkpoint) throw new ContinueRefused(`${what} is not a signed checkpoint.`)
  if (checkpoint.origin !== origin)
    throw new ContinueRefused(
      `${what} belongs to the log ${checkpoint.origin}. The log of this service is ${origin}.`,
    )
  const keys = (await logPublicKeys()).map(({ kid, x }) => ({ kid, key: logVerifierKey(origin, x) }))
  const lines = note.slice(parsed.text.length + 1).split('\n')
  const signers = await signersOf(
    parsed,
    keys.map(({ key }) => key),
  )
  const signer = keys.find(({ key }) => signers.includes(key))
  if (signer === undefined)
    throw new ContinueRefused(
      `${what} has no good signature of a key that this service has and trusts. The command list-keys shows the keys. When the backup is older than the key that signed, use log continue --new.`,
    )
  const lineOf = ({ name, id }: VerifierKey) =>
    lines[parsed.signatures.findIndex((line) => line.name === name && line.id === id)] ?? ''
  const { tlogWitnesses } = config()
  const witnesses = await signersOf(
    parsed,
    tlogWitnesses.map(({ key }) => key),
  )
  return {
    ...checkpoint,
    text: parsed.text,
    fullNote: note,
    note: `${parsed.text}\n${lineOf(signer.key)}\n`,
    kid: signer.kid,
    cosignatures: tlogWitnesses
      .filter(({ key }) => witnesses.includes(key))
      .map(({ vkey, key }) => ({ witness: vkey, line: lineOf(key) })),
  }
}

/** Returns the keys with a good signature. A wrong signature of one key does not hide those of others. */
async function signersOf(
  note: NonNullable<ReturnType<typeof parseNote>>,
  keys: VerifierKey[],
): Promise<VerifierKey[]> {
  const good: VerifierKey[] = []
  for (const key of keys) if ((await openNote(note, [key])) !== null) good.push(key)
  return good
}
