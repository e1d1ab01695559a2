/** The old log of a log that goes on under a new name. */

import { base64 } from '@beak/proofs/bytes'
import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { proveConsistency, proveInclusion, type ReadSubtree } from '@beak/proofs/log/merkle'
import { parseNote } from '@beak/proofs/log/note'
import { db, type Tx } from '@/lib/db/client'
import type { DucklingContext, Fails } from '@/lib/kernel/request/context'
import { logVerifierKeysOf } from './origin'
import {
  digestIn,
  findHeadOf,
  findNewestHead,
  listHeads,
  listOthers,
  listPasskeyEntries,
  type OtherEntry,
  type OwnEntry,
} from './own-entries'
import { findCheckpoint, getCheckpoint, type PublishedCheckpoint } from './published'
import type { LogProofInput, LogProofQuery } from './schema'
import { readTree } from './tree'

interface ContinuedLog {
  /** The name of the old log. */
  origin: string
  /** Its last known checkpoint, as a signed note. */
  checkpoint: string
  /** When the new log began. */
  at: Date
}

/** Returns the old log of a checkpoint whose log continues another one, or null. */
function continuedLog(found: { continued: string | null; continuedAt: Date | null }): ContinuedLog | null {
  const { continued, continuedAt } = found
  const parsed = continued === null ? null : parseNote(continued)
  const old = parsed && parseCheckpoint(parsed.text)
  if (continued === null || continuedAt === null || old === null) return null
  return { origin: old.origin, checkpoint: continued, at: continuedAt }
}

/** Proves to an account that the log has its events and passkeys, and that the log only grew. */

/**
 * Proves an entry of the caller: the newest logged head of the chain, the head that covers event `seq`, or the entries of a passkey.
 * Proves that the log only grew from tree size `first` to `second`. Throws `checkpoint_not_found`, `log_entry_not_found`, or
 * `invalid_request` for sizes that the log does not have.
 */
export async function auditProof(
  context: DucklingContext<'checkpoint_not_found' | 'log_entry_not_found' | 'invalid_request'>,
  query: LogProofQuery,
): Promise<LogProofInput> {
  const { caller } = context
  const tx = db()
  const checkpoint = await getCheckpoint(tx, context)
  const sizes = sizesOf(context, query, checkpoint.size)
  const entries = await findEntries(tx, context, checkpoint.size, query)
  const tree = readTree(tx, checkpoint.size)
  const proof = await present(tx, caller.id, checkpoint, entries, tree)
  const consistency = sizes && {
    ...sizes,
    proof: (await proveConsistency(sizes.first, sizes.second, tree)).map(base64),
  }
  const heads = query.heads === true ? await listHeads(tx, caller.id, checkpoint.size) : undefined
  return {
    ...proof,
    consistency,
    ...(heads === undefined ? {} : { heads }),
    ...(query.entries === true ? await pageOfOthers(tx, caller.id, checkpoint.size, query.before) : {}),
  }
}

/** Entries of one answer. */
const pageSize = 1000

async function pageOfOthers(
  tx: Tx,
  ducklingId: string,
  size: number,
  before: number = size,
): Promise<Pick<LogProofInput, 'own_entries' | 'has_more'>> {
  const found = await listOthers(tx, ducklingId, { size: Math.min(size, before), limit: pageSize + 1 })
  return { own_entries: found.slice(0, pageSize).map(presentOther), has_more: found.length > pageSize }
}

function presentOther({ passkeyId, subjectId, createdAt, ...entry }: OtherEntry) {
  return { ...entry, passkey_id: passkeyId, subject_id: subjectId, logged_at: createdAt }
}

/**
 * Proves the newest logged head of an account's chain, and lists all logged heads and all other entries. Returns null while there is no checkpoint. For
 * exports.
 */
export async function proveForExport(tx: Tx, ducklingId: string): Promise<LogProofInput | null> {
  const checkpoint = await findCheckpoint(tx)
  if (checkpoint === null) return null
  const newest = await findNewestHead(tx, ducklingId, checkpoint.size)
  const proof = await present(tx, ducklingId, checkpoint, { newest }, readTree(tx, checkpoint.size))
  const others = await listOthers(tx, ducklingId, { size: checkpoint.size, limit: null })
  return {
    ...proof,
    heads: await listHeads(tx, ducklingId, checkpoint.size),
    own_entries: others.map(presentOther),
  }
}

function sizesOf(
  context: Fails<'invalid_request'>,
  { first, second }: LogProofQuery,
  size: number,
): { first: number; second: number } | null {
  if (first === undefined) return null
  const message = `must not be larger than the log, which has ${size} entries`
  const errors = Object.entries({ first, second })
    .filter(([, value]) => value !== undefined && value > size)
    .map(([field]) => ({ field, message }))
  if (errors.length > 0) throw context.fail('invalid_request', { errors })
  return { first, second: second ?? size }
}

interface Found {
  newest: OwnEntry | null
  /** All entries of the passkey, for a query by passkey. */
  all?: OwnEntry[]
}

async function findEntries(
  tx: Tx,
  context: DucklingContext<'log_entry_not_found'>,
  size: number,
  { seq, passkey_id: passkeyId }: LogProofQuery,
): Promise<Found> {
  const { id: ducklingId } = context.caller
  if (passkeyId !== undefined) {
    const all = await listPasskeyEntries(tx, ducklingId, size, passkeyId)
    const newest = all.at(-1)
    if (newest === undefined) throw context.fail('log_entry_not_found')
    return { newest, all }
  }
  if (seq === undefined) return { newest: await findNewestHead(tx, ducklingId, size) }
  const newest = await findHeadOf(tx, ducklingId, size, seq)
  if (newest === null) throw context.fail('log_entry_not_found')
  return { newest }
}

async function present(
  tx: Tx,
  ducklingId: string,
  found: PublishedCheckpoint,
  { newest, all }: Found,
  tree: ReadSubtree,
): Promise<LogProofInput> {
  const { origin, size, root, note, signedAt, cosignatures } = found
  const proven = async (entry: OwnEntry) => ({
    entry: presentEntry(ducklingId, entry),
    inclusion: (await proveInclusion(entry.index, size, tree)).map(base64),
  })
  const entries = []
  for (const entry of all ?? []) entries.push(await proven(entry))
  return {
    origin,
    checkpoint: note,
    tree_size: size,
    signed_at: signedAt,
    cosignatures,
    root_hash: base64(root),
    vkeys: await logVerifierKeysOf(origin, tx),
    continues: continuedLog(found),
    ...(newest === null ? { entry: null, inclusion: null } : await proven(newest)),
    ...(all === undefined ? {} : { entries }),
    consistency: null,
  }
}

function presentEntry(ducklingId: string, entry: OwnEntry): NonNullable<LogProofInput['entry']> {
  return {
    index: entry.index,
    kind: entry.kind,
    digest: digestIn(entry.data),
    data: entry.data.toString(),
    leaf_hash: base64(entry.leafHash),
    duckling_id: ducklingId,
    seq: entry.seq,
    hash: entry.hash,
    passkey_id: entry.passkeyId,
  }
}
