/** Random bytes of the system's generator, which costs 2 µs a call however few bytes it returns. So one call serves many. */

import { randomFillSync } from 'node:crypto'

const stock = Buffer.alloc(4096)
let used = stock.length

/** Returns random bytes, at most 4096. They are used once: the stock forgets them. */
export function randomBytes(count: number): Buffer<ArrayBuffer> {
  if (count > stock.length) throw new RangeError(`at most ${stock.length} random bytes at once`)
  if (used + count > stock.length) {
    randomFillSync(stock)
    used = 0
  }
  const bytes = Buffer.alloc(count)
  stock.copy(bytes, 0, used, used + count)
  stock.fill(0, used, used + count)
  used += count
  return bytes
}

/** Crockford's base32 (https://www.crockford.com/base32.html): without I, L, O and U, which are easily misread. */
const base32Alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns the bytes in upper-case base32: most significant bit first, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += base32Alphabet.charAt((buffer >>> bits) & 31)
    }
    buffer &= (1 << bits) - 1
  }
  if (bits > 0) text += base32Alphabet.charAt((buffer << (5 - bits)) & 31)
  return text
}

/** Returns a whole number below 2^53 as `length` base32 characters. */
export function base32Number(value: number, length: number): string {
  let text = ''
  let rest = value
  for (let place = 0; place < length; place++) {
    text = base32Alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}
