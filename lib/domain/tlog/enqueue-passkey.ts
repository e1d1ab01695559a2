import { type EntryKind, passkeyDigest } from '@beak/client/verify/log/entry'
import type { Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'

/**
 * Enqueues the log entry of a passkey that this transaction adds or removes. Returns the entry's digest in hex: the audit event has it
 * as `log_digest`, so the two can be matched.
 */
export async function enqueuePasskey(
  tx: Tx,
  kind: Exclude<EntryKind, 'chain_head'>,
  {
    id,
    ducklingId,
    credentialId,
    publicKey,
  }: Pick<Passkey, 'id' | 'ducklingId' | 'credentialId' | 'publicKey'>,
): Promise<string> {
  const digest = passkeyDigest({
    ducklingId,
    credentialId,
    publicKey: Buffer.from(publicKey).toString('base64url'),
  })
  const bytes = new Uint8Array(Buffer.from(digest, 'hex'))
  await tx.logPending.create({ data: { kind, digest: bytes, ducklingId, passkeyId: id } })
  return digest
}
