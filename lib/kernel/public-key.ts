import { createPublicKey, type KeyObject } from 'node:crypto'

/** Returns the 32 bytes of the public key that belongs to an Ed25519 private key. */
export function publicBytesOf(privateKey: KeyObject): Buffer {
  return Buffer.from(String(createPublicKey(privateKey).export({ format: 'jwk' }).x), 'base64url')
}
