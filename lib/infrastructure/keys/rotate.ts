/** What the operator does to the service's signing keys, from the command line. Stolen keys: see distrust.ts. */
import { lockName, transaction } from '@/lib/db/transaction'
import { secondsAfter } from '@/lib/kernel/clock'
import { publishedFirst, reloadKeys } from './signing-keys'
import { addKey, keysLock } from './stored-keys'

/** Adds a key and returns its id. It is published at once and signs after two minutes; what older keys signed stays good. */
export async function rotateKeys(now: Date): Promise<string> {
  const kid = await transaction(async (tx) => {
    await lockName(tx, keysLock)
    return addKey(tx, 'token', now)
  })
  await reloadKeys()
  return kid
}

/**
 * Replaces the key of the transparency log and returns the new key's id. The new key signs at once. Older ones lose their private
 * halves, and their public halves stay published.
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

/** Why a key was not retired: the message is for the operator. */
export class RetirementRefused extends Error {
  override readonly name = 'RetirementRefused'
}

/**
 * Destroys a key's private half; the public one stays published, so that what it signed can still be checked. Throws
 * `RetirementRefused` for an unknown, retired or distrusted key, for a key of the log, and for the last one that may sign.
 */
export async function retireKey(kid: string, now: Date): Promise<void> {
  await transaction(async (tx) => {
    // Locked, so that two operators cannot each leave the other's key as the last one.
    await lockName(tx, keysLock)
    const able = await tx.signingKey.findMany({ where: { purpose: 'token', privateKey: { not: null } } })
    if (!able.some((key) => key.kid === kid))
      throw new RetirementRefused(`There is no signing key ${kid} that could be retired.`)
    const others = able.filter((key) => key.kid !== kid && now > secondsAfter(key.createdAt, publishedFirst))
    if (others.length === 0)
      throw new RetirementRefused(
        'No other key signs yet. Run rotate-keys and retire this one two minutes later.',
      )
    await tx.signingKey.update({ where: { kid }, data: { privateKey: null, retiredAt: now } })
  })
  await reloadKeys()
}
