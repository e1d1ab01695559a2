/** Lists the signing keys for the operator. Does not decrypt private keys, so it also works with another `BEAK_SECRET`. */

import { formatVerifierKey } from '@beak/client/verify/log/verifier-key'
import { db } from '@/lib/db/client'
import type { SigningKey } from '@/lib/db/generated/client'
import { logOrigin, logVerifierKey } from '@/lib/domain/tlog/origin'
import { chooseSigner, publicationSeconds } from '@/lib/infrastructure/keys/signing-keys'
import { loadKey } from '@/lib/infrastructure/keys/stored-keys'
import { secondsAfter } from '@/lib/kernel/clock'

/** Returns the id of the key that signs for that purpose; `keys` is oldest first. */
function signerOf(keys: SigningKey[], purpose: SigningKey['purpose'], now: Date): string | undefined {
  const able = keys.filter(
    (key) => key.purpose === purpose && key.distrustedAt === null && key.privateKey !== null,
  )
  // A key of the log signs immediately.
  return (purpose === 'log' ? able.at(-1) : chooseSigner(able, now))?.kid
}

function stateOf(key: SigningKey, signer: string | undefined, now: Date): string {
  const { kid, purpose, createdAt, privateKey, distrustedAt, distrustedFrom } = key
  if (distrustedAt !== null) return `distrusted since ${(distrustedFrom ?? distrustedAt).toISOString()}`
  if (privateKey === null) return 'retired'
  if (kid === signer) return 'signs'
  const signsFrom = secondsAfter(createdAt, publicationSeconds)
  if (purpose === 'token' && now <= signsFrom) return `published, signs from ${signsFrom.toISOString()}`
  return 'published, a newer key signs'
}

/** Returns one line per signing key, oldest first. A key of the log has a second line with its verifier key. */
export async function listKeys(now: Date): Promise<string> {
  const keys = await db().signingKey.findMany({ orderBy: [{ createdAt: 'asc' }, { kid: 'asc' }] })
  if (keys.length === 0)
    return 'There are no signing keys yet. The server makes the first ones when it starts.'
  const signers = { token: signerOf(keys, 'token', now), log: signerOf(keys, 'log', now) }
  const origin = await logOrigin()
  return keys.map((key) => describe(key, stateOf(key, signers[key.purpose], now), origin)).join('\n')
}

function describe(key: SigningKey, state: string, origin: string): string {
  const { kid, purpose, createdAt } = key
  const line = `${kid}  ${purpose.padEnd(5)}  made ${createdAt.toISOString()}  ${state}`
  if (purpose === 'token') return line
  const { x } = loadKey({ ...key, privateKey: null }).jwk
  return `${line}\n  verifier key: ${formatVerifierKey(logVerifierKey(origin, x))}`
}
