import { base64 } from '@beak/client/verify/bytes'
import { passkeyDigest } from '@beak/client/verify/log/entry'
import { proveInclusion } from '@beak/client/verify/log/merkle'
import type { Enrolment } from '@beak/client/verify/receipts/outcome-schema'
import type { Tx } from '@/lib/db/client'
import { logVerifierKeysOf } from './origin'
import { digestIn, listPasskeyEntries } from './own-entries'
import { findCheckpointOfSize } from './published'
import { readTree } from './tree'

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
