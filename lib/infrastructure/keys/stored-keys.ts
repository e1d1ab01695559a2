/**
 * The Ed25519 keys in the database. Private keys are encrypted with `BEAK_SECRET`. Keys of purpose `token` sign JWTs and are in the JWKS.
 * Keys of purpose `log` sign checkpoints of the transparency log and are not in the JWKS.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import type { Tx } from '@/lib/db/client'
import type { KeyPurpose, SigningKey } from '@/lib/db/generated/client'
import { seal, unseal } from '@/lib/kernel/secrets/secrets'

export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

/** A parsed key. `privateKey` is null for a retired or distrusted key. */
export interface LoadedKey {
  kid: string
  jwk: PublicJwk
  publicKey: KeyObject
  privateKey: KeyObject | null
  createdAt: Date
}

/** Name of the lock that a transaction takes before it adds, retires or distrusts a key. */
export const keysLock = 'signing-keys'

/** Returns the RFC 7638 thumbprint of an Ed25519 public key. */
function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

/** Makes and stores a key pair, and returns its id. */
export async function addKey(tx: Tx, purpose: KeyPurpose, now: Date): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = String(publicKey.export({ format: 'jwk' }).x)
  const kid = thumbprint(x)
  const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  await tx.signingKey.create({
    data: {
      kid,
      purpose,
      publicKey: { ...jwk },
      privateKey: new Uint8Array(seal(der, kid)),
      createdAt: now,
    },
  })
  return kid
}

/** Parses a stored key. Throws when the private key cannot be decrypted with `BEAK_SECRET`. */
export function loadKey(row: SigningKey): LoadedKey {
  const jwk = row.publicKey as unknown as PublicJwk
  return {
    kid: row.kid,
    jwk,
    publicKey: createPublicKey({ key: { ...jwk }, format: 'jwk' }),
    privateKey: row.privateKey
      ? createPrivateKey({ key: unseal(row.privateKey, row.kid), format: 'der', type: 'pkcs8' })
      : null,
    createdAt: row.createdAt,
  }
}
