/** The token in the links of newsletter mails. Only its digest is stored. */
import { randomSecret, sha256 } from '@/lib/kernel/secrets'

/** Returns a new token: `NWS-` and 160 random bits. */
export function mintSubscriptionToken(): string {
  return `NWS-${randomSecret(20)}`
}

/** Returns the digest of a token, by which it is stored and looked up. */
export function hashSubscriptionToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sha256(token))
}
