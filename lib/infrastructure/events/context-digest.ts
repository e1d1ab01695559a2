/**
 * The part of an event's context that can be erased. Its hash covers a salted digest of IP address and user agent, not the two
 * themselves, so that erasing them and the salt keeps the chain valid (contract F, Audit events).
 */
import { randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sha256Hex } from '@/lib/kernel/secrets'

export interface ContextDigest {
  digest: string
  /** 16 random bytes: without them the digest of an address could be found by trying all addresses. */
  salt: Uint8Array<ArrayBuffer>
}

/** Makes the digest of an IP address and a user agent; null when there is neither. `lib/proofs/audit/hash.ts` checks it. */
export function digestContext(ip: string | null, userAgent: string | null): ContextDigest | null {
  if (ip === null && userAgent === null) return null
  const salt = new Uint8Array(randomBytes(16))
  const text = canonicalize({ ip, salt: Buffer.from(salt).toString('base64url'), user_agent: userAgent })
  return { digest: sha256Hex(text ?? ''), salt }
}
