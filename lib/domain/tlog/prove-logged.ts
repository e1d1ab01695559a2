import { base64 } from '@beak/proofs/bytes'
import { entryText, passkeyDigest } from '@beak/proofs/log/entry'
import { proveInclusion } from '@beak/proofs/log/merkle'
import { type LoggedClaims, loggedEvents } from '@beak/proofs/receipts/logged'
import type { Enrolment, Logged, LoggedEntry } from '@beak/proofs/receipts/outcome-schema'
import type { Tx } from '@/lib/db/client'
import { config } from '@/lib/kernel/config'
import { logVerifierKeys, logVerifierKeysOf } from './origin'
import { digestIn, listPasskeyEntries } from './own-entries'
import { findCheckpointOfSize } from './published'
import { readTree } from './tree'

/** How many states of the log are looked at: those of at least ten minutes. */
const considered = 10

/**
 * Returns what the log has about a receipt, or null while it does not have the decision. Each entry comes with an early state of the log that has
 * it: of the first ones, that with the most cosignatures of the configured witnesses, because it limits the time best.
 */
export async function proveLogged(tx: Tx, peckId: string, claims: LoggedClaims): Promise<Logged | null> {
  const texts = entryTextsOf(claims)
  if (texts.decided === null) return null
  const found = await findEntries(
    tx,
    peckId,
    Object.values(texts).filter((text) => text !== null),
  )
  const prove = async (text: string | null): Promise<LoggedEntry | null> => {
    const place = text === null ? undefined : found.get(text)
    return place === undefined ? null : proveEntry(tx, place)
  }
  const decided = await prove(texts.decided)
  if (decided === null) return null
  return {
    decided,
    used: await prove(texts.used),
    revoked: await prove(texts.revoked),
    vkeys: await logVerifierKeys(tx),
  }
}

type Texts = Record<'decided' | 'used' | 'revoked', string | null>

function entryTextsOf(claims: LoggedClaims): Texts {
  const events = loggedEvents(claims)
  const text = (kind: keyof Texts) => {
    const event = events[kind]
    return event === null ? null : entryText(kind, event.digest)
  }
  return { decided: text('decided'), used: text('used'), revoked: text('revoked') }
}

/** An entry, and the state of the log that shows it. */
interface Place {
  index: number
  size: number
  origin: string
}

/** Returns the entries of a peck with these texts, as far as a checkpoint covers them. */
async function findEntries(tx: Tx, peckId: string, texts: string[]): Promise<Map<string, Place>> {
  const witnesses = config().tlogWitnesses.map(({ vkey }) => vkey)
  const rows = await tx.rows<{ text: string; index: bigint; size: bigint; origin: string }>`
    SELECT convert_from(e."data", 'UTF8') AS "text", e."index", best."size", best."origin"
    FROM "LogEntry" e CROSS JOIN LATERAL (
      SELECT c."size", c."origin" FROM (
        SELECT DISTINCT "size", "origin" FROM "LogCheckpoint" WHERE "size" > e."index"
        ORDER BY "size" LIMIT ${considered}) c
      CROSS JOIN LATERAL (
        SELECT count(*) AS "lines" FROM "LogCosignature" s
        WHERE s."origin" = c."origin" AND s."size" = c."size" AND s."witness" = ANY(${witnesses}::text[])) w
      ORDER BY w."lines" DESC, c."size" LIMIT 1) best
    WHERE e."subjectId" = ${peckId} AND convert_from(e."data", 'UTF8') = ANY(${texts}::text[])`
  return new Map(
    rows.map(({ text, index, size, origin }) => [text, { index: Number(index), size: Number(size), origin }]),
  )
}

/** Returns null when no trusted key has signed that state. */
async function proveEntry(tx: Tx, { index, size, origin }: Place): Promise<LoggedEntry | null> {
  const checkpoint = await findCheckpointOfSize(tx, origin, size)
  if (checkpoint === null) return null
  const inclusion = await proveInclusion(index, size, readTree(tx, size))
  return { index, inclusion: inclusion.map(base64), checkpoint: checkpoint.note }
}

/** A passkey, and the state of the log that it signed. `publicKey` is base64url. */
interface SignedTree {
  ducklingId: string
  passkeyId: string
  credentialId: string
  publicKey: string
  log: { origin: string; size: number; root: string }
}

/**
 * Proves that a passkey was enrolled before a state of the log. Returns null when the passkey was added so shortly before that the log did
 * not have it, or when no trusted key has signed that state.
 */
export async function proveEnrolment(
  tx: Tx,
  { ducklingId, passkeyId, credentialId, publicKey, log: { origin, size, root } }: SignedTree,
): Promise<Enrolment | null> {
  const digest = passkeyDigest({ ducklingId, credentialId, publicKey })
  const entries = await listPasskeyEntries(tx, ducklingId, size, passkeyId)
  const entry = entries.find(({ kind, data }) => kind === 'passkey_enrolled' && digestIn(data) === digest)
  const checkpoint = entry === undefined ? null : await findCheckpointOfSize(tx, origin, size)
  // A log that continues a restored backup can have another state of that size.
  if (entry === undefined || checkpoint === null || base64(checkpoint.root) !== root) return null
  const inclusion = await proveInclusion(entry.index, size, readTree(tx, size))
  return {
    index: entry.index,
    inclusion: inclusion.map(base64),
    checkpoint: checkpoint.note,
    vkeys: await logVerifierKeysOf(origin, tx),
  }
}
