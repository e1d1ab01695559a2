/**
 * The keys of ID tokens. Clients of OpenID Connect expect RS256. They stand at an address of their own and never in `/.well-known/jwks.json`: the
 * verifiers of receipts of earlier releases refuse a set with a key that is not Ed25519.
 *
 * A new key is published for two minutes before it signs. Every instance looks for new keys once a minute. The purge deletes a key an hour after
 * another one signs.
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

const generateKeyPair = promisify(generate)

/** Returns the stored keys, the one that signs at `now` first. Makes the first one; all instances share it. */
export async function readOAuthKeys(now: Date): Promise<OAuthKey[]> {
  const keys = await cached('oauth.keys', minute, now, async () => {
    const stored = await readRows(db())
    return stored.length > 0 ? stored : makeFirst()
  })
  const signer = chooseSigner(keys, now)
  return keys.toSorted((left, right) => Number(right === signer) - Number(left === signer))
}

/** Returns a private key as a JWK. */
export function openOAuthKey({ kid, sealed }: OAuthKey): JsonWebKey {
  const key = createPrivateKey({ key: unseal(sealed, kid), format: 'der', type: 'pkcs8' })
  return { ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }
}

/** Makes a key, which is published at once, and returns its id. */
export async function rotateOAuthKey(now: Date): Promise<string> {
  const key = await makeKey(now)
  await db().oAuthKey.create({ data: key })
  return key.kid
}

/** Deletes a stolen key. Returns false when there is none of that id. */
export async function deleteOAuthKey(kid: string): Promise<boolean> {
  return (await db().oAuthKey.deleteMany({ where: { kid } })).count > 0
}

const readRows = (tx: Tx) => tx.oAuthKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })

async function makeKey(createdAt: Date) {
  const { publicKey, privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 })
  const kid = sha256(publicKey.export({ format: 'der', type: 'spki' })).toString('base64url')
  const sealed = new Uint8Array(seal(privateKey.export({ format: 'der', type: 'pkcs8' }), kid))
  return { kid, sealed, createdAt }
}

async function makeFirst(): Promise<OAuthKey[]> {
  const key = await makeKey(readClock())
  return transaction(async (tx) => {
    await lockName(tx, 'oauth-keys')
    if ((await tx.oAuthKey.count()) === 0) await tx.oAuthKey.create({ data: key })
    return readRows(tx)
  })
}
