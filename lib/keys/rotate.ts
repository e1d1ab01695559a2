/** What the operator does to the service's signing keys, from the command line. */
import { transaction } from '@/lib/db/transaction'
import { secondsAfter } from '@/lib/kernel/clock'
import { addSigningKey, publishedFirst, reloadKeys } from './signing-keys'

/** Adds a key and returns its id. It is published at once and signs after two minutes; what older keys signed stays good. */
export async function rotateKeys(now: Date): Promise<string> {
  const kid = await transaction((tx) => addSigningKey(tx, now))
  await reloadKeys()
  return kid
}

/** Why a key was not retired: the message is for the operator. */
export class RetirementRefused extends Error {
  override readonly name = 'RetirementRefused'
}

/**
 * Destroys a key's private half; the public one stays published, so that what it signed can still be checked. Throws
 * `RetirementRefused` for an unknown or retired key, and for the last one that may sign.
 */
export async function retireKey(kid: string, now: Date): Promise<void> {
  await transaction(async (tx) => {
    // Locked, so that two retirements cannot each leave the other's key as the last one.
    const able = await tx.$queryRaw<{ kid: string; createdAt: Date }[]>`
      SELECT "kid", "createdAt" FROM "SigningKey" WHERE "privateKey" IS NOT NULL ORDER BY "kid" FOR UPDATE`
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
