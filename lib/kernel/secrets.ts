/**
 * Secrets: minting, digests, constant-time comparison and encryption at rest.
 *
 * A token handed out is id and secret in one string; only the SHA-256 of the secret half is stored (it has 130 or more
 * random bits, so a fast digest is enough). Short codes are guessable, so they get a keyed hash. What the service must be
 * able to read back (signing keys, webhook secrets) is encrypted with AES-256-GCM. All keys derive from `BEAK_SECRET`.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base32, base32Number } from './base32'
import { config } from './config'
import { once } from './global'

/** SHA-256 of a text or bytes. */
export function sha256(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(value).digest()
}

/** SHA-256 in lower-case hex. */
export function sha256Hex(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

/** Whether two digests are equal, in time that does not depend on where they differ. */
export function equalDigests(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

/** `bytes` random bytes as base32: 32 bytes give 52 characters, 17 give 28. */
export function randomSecret(bytes = 32): string {
  return base32(randomBytes(bytes))
}

/** Seven base32 characters of CRC-32: lets a scanner, or us, refuse a mistyped key without asking the database. */
export function checksum(text: string): string {
  return base32Number(crc32(text), 7)
}

type KeyPurpose = 'otp' | 'store' | 'subject' | 'outbox'

function derivedKey(purpose: KeyPurpose): Buffer {
  return once(`secret:${purpose}`, () =>
    Buffer.from(hkdfSync('sha256', config().secret, 'beak', `beak/${purpose}/v1`, 32)),
  )
}

/** HMAC-SHA-256 under a key of its own for each purpose. */
export function keyedHash(purpose: 'otp' | 'subject' | 'outbox', value: string): Buffer {
  return createHmac('sha256', derivedKey(purpose)).update(value).digest()
}

/**
 * Encrypts with AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. `label` is authenticated with it,
 * so that a ciphertext moved to another row does not decrypt there.
 */
export function seal(plain: Uint8Array, label: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKey('store'), nonce)
  cipher.setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what `seal` made. Throws when the secret, the label or a bit is not the same. */
export function unseal(sealed: Uint8Array, label: string): Buffer {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', derivedKey('store'), bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}
