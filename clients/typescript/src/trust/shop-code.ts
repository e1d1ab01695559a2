/** Codes that a shop shows to a person, who types them on the decision page of the service. */
import { base64url } from '../verify/bytes'
import { codeDigest } from '../verify/receipts/decision-statement'

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
