/**
 * Secrets: generation, digests, constant-time comparison and encryption at rest.
 *
 * A token contains an id and a secret. Only the SHA-256 of the secret is stored: it has at least 130 random bits, so a fast digest
 * is enough. Short codes can be guessed, so they get a keyed hash. Values that the service must read again (signing keys, webhook
 * secrets, grant tokens) are encrypted with AES-256-GCM. All keys are derived from `BEAK_SECRET`. During a rotation, values
 * made with `BEAK_SECRET_PREVIOUS` are still accepted.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  type Hmac,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'
import { crc32 } from 'node:zlib'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { base32, base32Number, randomBytes } from './random'

export function sha256(value: string | Uint8Array): Buffer {
  return hash('sha256', value, 'buffer')
}

export function sha256Hex(value: string | Uint8Array): string {
  return hash('sha256', value, 'hex')
}

/** Compares two digests in constant time. */
export function equalDigests(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns random bytes as base32: 32 bytes are 52 characters, 17 bytes are 28. */
export function randomSecret(bytes = 32): string {
  return base32(randomBytes(bytes))
}

/** Returns the CRC-32 as seven base32 characters. It detects a mistyped key without a query. */
export function checksum(text: string): string {
  return base32Number(crc32(text), 7)
}

type KeyPurpose = 'otp' | 'store' | 'subject' | 'outbox' | 'user_code' | 'backup' | 'oauth'

/** Returns a key derived from a secret. Keeps the keys per secret, because tests change the secret. */
function derivedKey(purpose: KeyPurpose, secret: Uint8Array): Buffer {
  const known = singleton('derived-keys', () => new WeakMap<Uint8Array, Map<KeyPurpose, Buffer>>())
  const keys = known.get(secret) ?? new Map<KeyPurpose, Buffer>()
  known.set(secret, keys)
  const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, 'beak', `beak/${purpose}/v1`, 32))
  keys.set(purpose, key)
  return key
}

/**
 * Returns bytes that can be derived only with a secret of the service and `text`. One value for each accepted secret, the current one
 * first.
 */
export function deriveWithText(purpose: 'idempotency', text: string, length: number): [Buffer, ...Buffer[]] {
  const derive = (secret: Uint8Array) =>
    Buffer.from(hkdfSync('sha256', secret, 'beak', `beak/${purpose}/v1\n${text}`, length))
  const [current, ...previous] = acceptedSecrets()
  return [derive(current), ...previous.map(derive)]
}

/** Returns the current secret, and during a rotation also the previous secret. */
export function acceptedSecrets(): [Uint8Array, ...Uint8Array[]] {
  const { secret, previousSecret } = config()
  return previousSecret === null ? [secret] : [secret, previousSecret]
}

type HashPurpose = Exclude<KeyPurpose, 'store'>

function hashWith(secret: Uint8Array, purpose: HashPurpose, value: string): Buffer {
  return createHmac('sha256', derivedKey(purpose, secret)).update(value).digest()
}

/** Starts the HMAC-SHA-256 of a file, with the key that a secret gives. */
export function startMac(purpose: 'backup', secret: Uint8Array): Hmac {
  return createHmac('sha256', derivedKey(purpose, secret))
}

/** Returns the HMAC-SHA-256. Each purpose has its own key. */
export function keyedHash(purpose: HashPurpose, value: string): Buffer {
  return hashWith(config().secret, purpose, value)
}

/** Returns the keyed hash with the previous secret, or null when no rotation is in progress. */
export function previousKeyedHash(purpose: HashPurpose, value: string): Buffer | null {
  const { previousSecret } = config()
  return previousSecret === null ? null : hashWith(previousSecret, purpose, value)
}

/** Tells whether `hash` is the keyed hash of the value with the current or the previous secret. */
export function isKeyedHash(purpose: HashPurpose, value: string, hash: Uint8Array): boolean {
  return acceptedSecrets().some((secret) => equalDigests(hashWith(secret, purpose, value), hash))
}

/**
 * Encrypts with AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the ciphertext. `label` is authenticated too, so a ciphertext
 * that was moved to another row cannot be decrypted there.
 */
export function seal(plain: Uint8Array, label: string): Buffer {
  return encrypt(derivedKey('store', config().secret), plain, label)
}

/** Does the same with a key of 32 bytes. */
export function encrypt(key: Buffer, plain: Uint8Array, label: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Thrown when neither secret can decrypt a value. The message is for the operator. */
class SealedElsewhere extends StartProblem {
  override readonly name = 'SealedElsewhere'
}

/**
 * Decrypts a sealed value with the current or the previous secret. Throws `SealedElsewhere` when both fail, also because the label
 * differs or the value was changed.
 */
export function unseal(sealed: Uint8Array, label: string): Buffer {
  for (const secret of acceptedSecrets()) {
    const plain = decrypt(derivedKey('store', secret), sealed, label)
    if (plain !== null) return plain
  }
  throw new SealedElsewhere(
    `"${label}" cannot be decrypted: it was encrypted with another BEAK_SECRET. Set BEAK_SECRET to the secret that this database was used with, or, when you are changing the secret, set BEAK_SECRET_PREVIOUS to that secret.`,
  )
}

/** Returns the value sealed with the current secret, or null when it already is. Throws like `unseal`. */
export function reseal(sealed: Uint8Array, label: string): Buffer | null {
  const isCurrent = decrypt(derivedKey('store', config().secret), sealed, label) !== null
  return isCurrent ? null : seal(unseal(sealed, label), label)
}

/** Decrypts what `encrypt` has made. Returns null for another key, another label or changed bytes. */
export function decrypt(key: Buffer, sealed: Uint8Array, label: string): Buffer | null {
  const bytes = Buffer.from(sealed)
  if (bytes.length < 28) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(label))
  decipher.setAuthTag(bytes.subarray(12, 28))
  const body = decipher.update(bytes.subarray(28))
  try {
    return Buffer.concat([body, decipher.final()])
  } catch {
    // The tag is wrong. `body` must not be used.
    return null
  }
}

/** Returns the 32 bytes of the public key that belongs to an Ed25519 private key. */
export function publicBytesOf(privateKey: KeyObject): Buffer {
  return Buffer.from(String(createPublicKey(privateKey).export({ format: 'jwk' }).x), 'base64url')
}
