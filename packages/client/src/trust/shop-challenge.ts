/**
 * Challenges of a shop. A decision that names one was made after the shop gave it, so the service cannot date an old decision anew. A shop
 * recognizes its own challenges by their signature and stores nothing before a challenge is used.
 */

import { areEqual, base64url, bytesOfBase64url, bytesOfText } from '@beak/proofs/bytes'
import { codeDigest } from '@beak/proofs/receipts/decision-statement'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'

/** The key of a shop's challenges: at least 16 bytes. Of a text, its UTF-8. */
export type ChallengeSecret = string | Uint8Array

const secretMin = 16
/** The clocks of the servers of one shop may differ by this much. */
const skewSeconds = 30

/** Returns a new challenge. Throws `TypeError` for a secret with less than 16 bytes. */
export function shopChallenge(secret: ChallengeSecret, now: Date = new Date()): string {
  const random = base64url(crypto.getRandomValues(new Uint8Array(16)))
  const start = `${random}.${Math.floor(now.getTime() / 1000).toString(36)}`
  return `${start}.${base64url(signatureOf(secret, start))}`
}

/**
 * Returns whether `shopChallenge` made the text with this secret, at most `maxAgeSeconds` ago. It does not say whether the challenge was used.
 * Throws `TypeError` for a secret with less than 16 bytes.
 */
export function isOwnChallenge(
  secret: ChallengeSecret,
  text: string,
  maxAgeSeconds: number,
  now: Date = new Date(),
): boolean {
  const [start = '', time = '', signature = ''] =
    /^([\w-]{22}\.([0-9a-z]{1,9}))\.([\w-]{22})$/.exec(text)?.slice(1) ?? []
  const given = bytesOfBase64url(signature)
  const expected = signatureOf(secret, start)
  if (given === null || !areEqualInConstantTime(given, expected)) return false
  const age = now.getTime() / 1000 - parseInt(time, 36)
  return age >= -skewSeconds && age <= maxAgeSeconds
}

/** Returns when a challenge of this shop was made. */
export function timeOfChallenge(text: string): Date {
  return new Date(parseInt(text.split('.')[1] ?? '', 36) * 1000)
}

function signatureOf(secret: ChallengeSecret, text: string): Uint8Array {
  const key = typeof secret === 'string' ? bytesOfText(secret) : secret
  if (key.length < secretMin)
    throw new TypeError(`The secret of the challenges needs at least ${secretMin} bytes.`)
  return hmac(sha256, key, bytesOfText(text)).subarray(0, 16)
}

/** The time of the comparison must not say how many bytes are right. The hashes of both differ everywhere. */
function areEqualInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  return areEqual(sha256(left), sha256(right))
}

/** Codes that a shop shows to a person, who types them on the decision page of the service. */

export interface ShopCode {
  /** Six digits. Show them to the person, and to nobody else: neither the agent nor the service may read them. */
  code: string
  /** Keep it with the code. The policy needs both: `{ code, salt }`. */
  salt: string
  /** What the request has as `code_hash`. */
  code_hash: string
}

/** Returns a new code with its hash. Use it for one request only. */
export function shopCode(): ShopCode {
  const code = String(randomBelow(1_000_000)).padStart(6, '0')
  const salt = base64url(crypto.getRandomValues(new Uint8Array(16)))
  return { code, salt, code_hash: codeDigest(salt, code) }
}

/** Returns a whole number from 0 to `end` - 1, each with the same probability. */
function randomBelow(end: number): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  // The last numbers would make some remainders more probable than others.
  return number < 2 ** 32 - (2 ** 32 % end) ? number % end : randomBelow(end)
}
