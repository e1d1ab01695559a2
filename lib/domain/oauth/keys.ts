/**
 * The keys of ID tokens. Clients of OpenID Connect expect RS256, and a site may choose EdDSA. They stand at an address of their own and never in
 * `/.well-known/jwks.json`: the verifiers of receipts of earlier releases refuse a set with a key that is not Ed25519, and no ID token may pass for
 * a receipt.
 *
 * A new key is published for two minutes before it signs. Every instance looks for new keys once a minute. The purge deletes a key an hour after
 * another one of its algorithm signs.
 */
import { createPrivateKey, generateKeyPair as generate, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import { db, type Tx } from '@/lib/db/client'
import type { OAuthKey } from '@/lib/db/generated/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { chooseSigner } from '@/lib/infrastructure/keys/signing-keys'
import { cached } from '@/lib/kernel/runtime/cached'
import { minute, readClock } from '@/lib/kernel/runtime/clock'
import { seal, sha256, unseal } from '@/lib/kernel/secrets/secrets'
import { type IdTokenAlg, idTokenAlgs } from './site-schema'

const generateKeyPair = promisify(generate)

/** Returns the keys that sign at `now`: one of each algorithm. */
export const signersOf = (keys: OAuthKey[], now: Date): OAuthKey[] =>
  idTokenAlgs.flatMap((alg) => chooseSigner(ofAlg(keys, alg), now) ?? [])

/** Returns the stored keys, those that sign at `now` first. Makes the first ones; all instances share them. */
export async function readOAuthKeys(now: Date): Promise<OAuthKey[]> {
  const keys = await cached('oauth.keys', minute, now, async () => {
    const stored = await readRows(db())
    return missingIn(stored).length === 0 ? stored : makeFirst(missingIn(stored))
  })
  const signers = signersOf(keys, now)
  return [...signers, ...keys.filter((key) => !signers.includes(key))]
}

/** Returns a private key as a JWK. */
export function openOAuthKey({ kid, alg, sealed }: OAuthKey): JsonWebKey {
  const key = createPrivateKey({ key: unseal(sealed, kid), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), kid, use: 'sig', alg }
}

/** Makes a key of each algorithm, which are published at once, and returns their ids. */
export async function rotateOAuthKeys(now: Date): Promise<string[]> {
  const keys = await Promise.all(idTokenAlgs.map((alg) => makeKey(alg, now)))
  await db().oAuthKey.createMany({ data: keys })
  return keys.map(({ kid }) => kid)
}

/** Deletes a stolen key. Returns false when there is none of that id. */
export async function deleteOAuthKey(kid: string): Promise<boolean> {
  return (await db().oAuthKey.deleteMany({ where: { kid } })).count > 0
}

const readRows = (tx: Tx) => tx.oAuthKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })

const ofAlg = (keys: OAuthKey[], alg: IdTokenAlg) => keys.filter((key) => key.alg === alg)

const missingIn = (keys: OAuthKey[]) => idTokenAlgs.filter((alg) => ofAlg(keys, alg).length === 0)

async function makeKey(alg: IdTokenAlg, createdAt: Date) {
  const { publicKey, privateKey } = await (alg === 'RS256'
    ? generateKeyPair('rsa', { modulusLength: 2048 })
    : generateKeyPair('ed25519'))
  const kid = sha256(publicKey.export({ format: 'der', type: 'spki' })).toString('base64url')
  const sealed = new Uint8Array(seal(privateKey.export({ format: 'der', type: 'pkcs8' }), kid))
  return { kid, alg, sealed, createdAt }
}

async function makeFirst(missing: IdTokenAlg[]): Promise<OAuthKey[]> {
  const made = await Promise.all(missing.map((alg) => makeKey(alg, readClock())))
  return transaction(async (tx) => {
    await lockName(tx, 'oauth-keys')
    const still: string[] = missingIn(await readRows(tx))
    await tx.oAuthKey.createMany({ data: made.filter(({ alg }) => still.includes(alg)) })
    return readRows(tx)
  })
}
