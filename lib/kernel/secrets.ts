/**
 * Secrets: minting, digests, constant-time comparison and encryption at rest.
 *
 * A token handed out is id and secret in one string; only the SHA-256 of the secret half is stored (it has 130 or more
 * random bits, so a fast digest is enough). Short codes are guessable, so they get a keyed hash. What the service must be
 * able to read back (signing keys, webhook secrets, grant tokens) is encrypted with AES-256-GCM. All keys derive from
 * `BEAK_SECRET`. During a rotation, what was made with `BEAK_SECRET_PREVIOUS` still opens and is still recognised.
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
import { singleton } from './singleton'

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

/** Derived keys, by secret: a configuration with another secret gets other keys. */
function derivedKey(purpose: KeyPurpose, secret: Uint8Array): Buffer {
  const known = singleton('derived-keys', () => new WeakMap<Uint8Array, Map<KeyPurpose, Buffer>>())
  const keys = known.get(secret) ?? new Map<KeyPurpose, Buffer>()
  known.set(secret, keys)
  const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'beak', `beak/${purpose}/v1`, 32))
  keys.set(purpose, key)
  return key
}

/** The current secret, then the previous one where a rotation is under way. */
function secretsNow(): [Uint8Array, ...Uint8Array[]] {
  const { secret, previousSecret } = config()
  return previousSecret === null ? [secret] : [secret, previousSecret]
}

type HashPurpose = Exclude<KeyPurpose, 'store'>

function hashWith(secret: Uint8Array, purpose: HashPurpose, value: string): Buffer {
  return createHmac('sha256', derivedKey(purpose, secret)).update(value).digest()
}

/** HMAC-SHA-256 under a key of its own for each purpose. */
export function keyedHash(purpose: HashPurpose, value: string): Buffer {
  return hashWith(config().secret, purpose, value)
}

/** The keyed hash as the previous secret made it, or null when no rotation is under way. */
export function previousKeyedHash(purpose: HashPurpose, value: string): Buffer | null {
  const { previousSecret } = config()
  return previousSecret === null ? null : hashWith(previousSecret, purpose, value)
}

/** Whether `hash` is the keyed hash of the value, made with the current secret or with the previous one. */
export function isKeyedHash(purpose: HashPurpose, value: string, hash: Uint8Array): boolean {
  return secretsNow().some((secret) => equalDigests(hashWith(secret, purpose, value), hash))
}

/**
 * Encrypts with AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. `label` is authenticated with it,
 * so that a ciphertext moved to another row does not decrypt there.
 */
export function seal(plain: Uint8Array, label: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derivedKey('store', config().secret), nonce)
  cipher.setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** A sealed value that neither secret opens. The message is for the operator. */
export class SealedElsewhere extends Error {
  override readonly name = 'SealedElsewhere'
}

/**
 * Opens what `seal` made, with the current secret or the previous one. Throws `SealedElsewhere` when neither fits, or the label or a bit
 * is not the same.
 */
export function unseal(sealed: Uint8Array, label: string): Buffer {
  for (const secret of secretsNow()) {
    const plain = openWith(secret, sealed, label)
    if (plain !== null) return plain
  }
  throw new SealedElsewhere(
    `"${label}" cannot be opened: it was sealed with another BEAK_SECRET. Set BEAK_SECRET_PREVIOUS to that secret.`,
  )
}

/** Returns the value sealed with the current secret, or null when it is already. Throws as `unseal` does. */
export function sealAgain(sealed: Uint8Array, label: string): Buffer | null {
  return openWith(config().secret, sealed, label) === null ? seal(unseal(sealed, label), label) : null
}

function openWith(secret: Uint8Array, sealed: Uint8Array, label: string): Buffer | null {
  const bytes = Buffer.from(sealed)
  if (bytes.length < 28) return null
  const key = derivedKey('store', secret)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(12, 28))
  const body = decipher.update(bytes.subarray(28))
  try {
    return Buffer.concat([body, decipher.final()])
  } catch {
    // The tag is wrong: another secret, another label, or changed bytes. Nothing of `body` may be used.
    return null
  }
}
