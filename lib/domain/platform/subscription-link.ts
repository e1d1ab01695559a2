/** The token in the links of our newsletter mails: it names nobody, and only its digest is kept. */
import { randomSecret, sha256 } from '@/lib/kernel/secrets'

/** A new token: `NWS-` and 160 random bits. */
export function mintLink(): string {
  return `NWS-${randomSecret(20)}`
}

/** What is stored of a token, and looked up by. */
export function hashLink(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sha256(token))
}
