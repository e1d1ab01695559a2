/**
 * The service's Ed25519 keys. They live in the database, private halves encrypted under `BEAK_SECRET`, so that every
 * instance signs alike. The newest one that has been published for a while signs; all of them verify, so that a rotation
 * signs nobody out and old certificates stay checkable. A retired key loses its private half for good.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { once } from '@/lib/kernel/global'
import { seal, unseal } from '@/lib/kernel/secrets'

export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

interface LoadedKey {
  kid: string
  jwk: PublicJwk
  publicKey: KeyObject
  privateKey: KeyObject | null
  createdAt: Date
}

interface KeyRing {
  keys: Map<string, LoadedKey>
  loadedAt: Date
}

/** Seconds a new key is published before it signs; the worker of every instance looks for new ones once a minute. */
export const publishedFirst = 120

const ring = () =>
  once('signing-keys', () => ({ current: null as KeyRing | null, loading: null as Promise<KeyRing> | null }))

/** RFC 7638 thumbprint of an Ed25519 public key. */
function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

/** Makes a key pair and stores it. It signs once it has been published for two minutes, or at once if it is the first. */
export async function addSigningKey(tx: Tx, now: Date): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = String(publicKey.export({ format: 'jwk' }).x)
  const kid = thumbprint(x)
  const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  await tx.signingKey.create({
    data: { kid, publicKey: { ...jwk }, privateKey: new Uint8Array(seal(der, kid)), createdAt: now },
  })
  return kid
}

async function readKeys(): Promise<KeyRing> {
  let rows = await db().signingKey.findMany({ orderBy: { createdAt: 'asc' } })
  if (rows.length === 0) {
    rows = await transaction(async (tx) => {
      await lockName(tx, 'signing-keys')
      if ((await tx.signingKey.count()) === 0) await addSigningKey(tx, readClock())
      return tx.signingKey.findMany({ orderBy: { createdAt: 'asc' } })
    })
  }
  const keys = new Map<string, LoadedKey>()
  for (const row of rows) {
    const jwk = row.publicKey as unknown as PublicJwk
    keys.set(row.kid, {
      kid: row.kid,
      jwk,
      publicKey: createPublicKey({ key: { ...jwk }, format: 'jwk' }),
      privateKey: row.privateKey
        ? createPrivateKey({ key: unseal(row.privateKey, row.kid), format: 'der', type: 'pkcs8' })
        : null,
      createdAt: row.createdAt,
    })
  }
  return { keys, loadedAt: readClock() }
}

/** Loads the keys again, for instance after a rotation. Simultaneous callers share one reading. */
export async function reloadKeys(): Promise<void> {
  const state = ring()
  state.loading ??= readKeys().finally(() => {
    state.loading = null
  })
  state.current = await state.loading
}

/** Loads the keys unless they are there. Everything that serves awaits this once, so that signing is synchronous. */
export async function prepareKeys(): Promise<void> {
  if (ring().current === null) await reloadKeys()
}

function keyRing(): KeyRing {
  const { current } = ring()
  if (current === null) throw new Error('the signing keys are not loaded')
  return current
}

/** The key that signs at that time. */
export function signingKey(now: Date): { kid: string; privateKey: KeyObject } {
  const all = [...keyRing().keys.values()].filter((key) => key.privateKey !== null)
  const published = all.filter((key) => now > secondsAfter(key.createdAt, publishedFirst))
  const key = published.at(-1) ?? all[0]
  if (!key?.privateKey) throw new Error('no signing key has a private half')
  return { kid: key.kid, privateKey: key.privateKey }
}

/** The public key of that id, or null. An unknown id may be a key another instance has just made: looked for at most every 10 s. */
export async function verificationKey(kid: string): Promise<KeyObject | null> {
  const known = keyRing().keys.get(kid)
  if (known) return known.publicKey
  if (readClock() < secondsAfter(keyRing().loadedAt, 10)) return null
  await reloadKeys()
  return keyRing().keys.get(kid)?.publicKey ?? null
}

/** Every public key, for `/.well-known/jwks.json` (RFC 7517). */
export function publicKeys(): PublicJwk[] {
  return [...keyRing().keys.values()].map((key) => key.jwk)
}
