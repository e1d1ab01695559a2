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
