/** Rotates and retires signing keys, for commands of the operator. For stolen keys see distrust.ts. */
import { lockName, transaction } from '@/lib/db/transaction'
import { secondsAfter } from '@/lib/kernel/clock'
import { publicationSeconds, reloadKeys } from './signing-keys'
import { addKey, keysLock } from './stored-keys'

/** Adds a key and returns its id. The key is published at once and signs after two minutes. Older signatures stay valid. */
export async function rotateKeys(now: Date): Promise<string> {
  const kid = await transaction(async (tx) => {
    await lockName(tx, keysLock)
    return addKey(tx, 'token', now)
  })
  await reloadKeys()
  return kid
}

/**
 * Replaces the key of the transparency log and returns the id of the new key, which signs at once. Destroys older private keys. Their
 * public keys stay published.
 */
export function rotateLogKey(now: Date): Promise<string> {
  return transaction(async (tx) => {
    await lockName(tx, keysLock)
    await tx.signingKey.updateMany({
      where: { purpose: 'log', privateKey: { not: null } },
      data: { privateKey: null, retiredAt: now },
    })
    return addKey(tx, 'log', now)
  })
}

/** Thrown when a key cannot be retired. The message is for the operator. */
export class RetirementRefused extends Error {
  override readonly name = 'RetirementRefused'
}

/**
 * Destroys a private key. The public key stays published, so that old signatures can be verified. Throws `RetirementRefused` for an
 * unknown, retired or distrusted key, for a key of the log, and for the last key that can sign.
 */
export async function retireKey(kid: string, now: Date): Promise<void> {
  await transaction(async (tx) => {
    // Otherwise two simultaneous calls could retire both of the last two keys.
    await lockName(tx, keysLock)
    const able = await tx.signingKey.findMany({ where: { purpose: 'token', privateKey: { not: null } } })
    if (!able.some((key) => key.kid === kid))
      throw new RetirementRefused(`There is no signing key ${kid} that could be retired.`)
    const others = able.filter(
      (key) => key.kid !== kid && now > secondsAfter(key.createdAt, publicationSeconds),
    )
    if (others.length === 0)
      throw new RetirementRefused(
        'No other key signs yet. Run rotate-keys, and retire this key two minutes later.',
      )
    await tx.signingKey.update({ where: { kid }, data: { privateKey: null, retiredAt: now } })
  })
  await reloadKeys()
}
