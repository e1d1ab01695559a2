/**
 * The key of ID tokens. Clients of OpenID Connect expect RS256. It stands at an address of its own and never in `/.well-known/jwks.json`: the
 * verifiers of receipts of earlier releases refuse a set with a key that is not Ed25519.
 */
import { createPrivateKey, generateKeyPair as generate, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import { db } from '@/lib/db/client'
import type { OAuthKey } from '@/lib/db/generated/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { readClock } from '@/lib/kernel/runtime/clock'
import { seal, sha256, unseal } from '@/lib/kernel/secrets/secrets'

const generateKeyPair = promisify(generate)

/** Returns the private keys as JWKs, newest first. Makes the first one; all instances share it. */
export async function readOAuthKeys(): Promise<JsonWebKey[]> {
  const rows = await readRows()
  return (rows.length > 0 ? rows : await makeFirst()).map(({ kid, sealed }) => {
    const key = createPrivateKey({ key: unseal(sealed, kid), format: 'der', type: 'pkcs8' })
    return { ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }
  })
}

const readRows = () => db().oAuthKey.findMany({ orderBy: { createdAt: 'desc' } })

async function makeFirst(): Promise<OAuthKey[]> {
  const { publicKey, privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 })
  const kid = sha256(publicKey.export({ format: 'der', type: 'spki' })).toString('base64url')
  const sealed = new Uint8Array(seal(privateKey.export({ format: 'der', type: 'pkcs8' }), kid))
  return transaction(async (tx) => {
    await lockName(tx, 'oauth-keys')
    if ((await tx.oAuthKey.count()) === 0)
      await tx.oAuthKey.create({ data: { kid, sealed, createdAt: readClock() } })
    return tx.oAuthKey.findMany({ orderBy: { createdAt: 'desc' } })
  })
}
