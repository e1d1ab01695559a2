/**
 * The erasable part of an event. The hash of the event covers a salted digest of IP address and user agent and not the values, so
 * the chain stays valid after both values and the salt are erased (contract F, Audit events).
 */
import { canonicalText } from '@beak/client/verify/canonical'
import { randomBytes } from '@/lib/kernel/random'
import { sha256Hex } from '@/lib/kernel/secrets'

export interface ContextDigest {
  digest: string
  /** 16 random bytes. Without a salt, the address of a digest could be found by trying all addresses. */
  salt: Uint8Array<ArrayBuffer>
}

/** Returns the digest of an IP address and a user agent, or null when both are null. `clients/typescript/src/verify/audit/hash.ts` verifies it. */
export function digestContext(ip: string | null, userAgent: string | null): ContextDigest | null {
  if (ip === null && userAgent === null) return null
  const salt = new Uint8Array(randomBytes(16))
  const text = canonicalText({ ip, salt: Buffer.from(salt).toString('base64url'), user_agent: userAgent })
  return { digest: sha256Hex(text), salt }
}
