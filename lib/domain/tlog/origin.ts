/** The name and the keys of this service's transparency log. */

import { formatVerifierKey, type VerifierKey, verifierKey } from '@beak/client/verify/log/verifier-key'
import type { Tx } from '@/lib/db/client'
import { logPublicKeys } from '@/lib/infrastructure/keys/log-keys'
import { config } from '@/lib/kernel/config'

/** Returns the origin of the log: its address without a scheme (C2SP tlog-checkpoint). */
export function logOrigin(): string {
  return `${config().baseUrl.replace(/^https?:\/\//, '')}/.well-known/tlog`
}

/** Returns the verifier key for a public key of the log: base64url of its 32 bytes. */
export function logVerifierKey(x: string): VerifierKey {
  return verifierKey(logOrigin(), 'ed25519', Buffer.from(x, 'base64url'))
}

/** Returns the trusted verifier keys of the log as text, newest first. */
export async function logVerifierKeys(tx?: Tx): Promise<string[]> {
  const keys = await logPublicKeys(tx)
  return keys.map(({ x }) => formatVerifierKey(logVerifierKey(x)))
}
