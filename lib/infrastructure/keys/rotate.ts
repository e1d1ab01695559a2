/** Rotates and retires signing keys, for commands of the operator. For stolen keys see distrust.ts. */

import type { Tx } from '@/lib/db/client'
import type { SigningKey } from '@/lib/db/generated/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { inFlightSeconds } from '@/lib/infrastructure/events/chain'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
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

/**
 * Distrusts a stolen signing key. From the next request on, on every instance, its signatures are invalid: the key is removed from the
 * JWKS, its private key is destroyed, and another key signs at once.
 */

/** Thrown when a key cannot be distrusted. The message is for the operator. */
export class DistrustRefused extends Error {
  override readonly name = 'DistrustRefused'
}

export interface Distrusted {
  purpose: SigningKey['purpose']
  /** The time since which somebody else may have signed with the key. */
  from: Date
  /** The key was already distrusted. This call changed at most the time. */
  isRepeated: boolean
  /** The new key that replaces it. Null when another key already signs. */
  newKid: string | null
}

/**
 * Distrusts a key since `from`. Makes a new key when no other key can sign. A key that is already distrusted keeps the earlier time.
 * `replaceSignatures`, which the worker also runs, replaces sessions and certificates of the key. Throws `DistrustRefused` for
 * an unknown key and for a time in the future.
 */
export async function distrustKey(kid: string, from: Date, now: Date): Promise<Distrusted> {
  if (from > now)
    throw new DistrustRefused(
      `${from.toISOString()} is in the future. Give the time since which somebody else may have had the key.`,
    )
  const outcome = await transaction((tx) => markDistrusted(tx, kid, from, now))
  await reloadKeys()
  return outcome
}

async function markDistrusted(tx: Tx, kid: string, from: Date, now: Date): Promise<Distrusted> {
  // Otherwise two simultaneous calls could each rely on the key that the other one distrusts.
  await lockName(tx, keysLock)
  const key = await tx.signingKey.findUnique({ where: { kid } })
  if (key === null)
    throw new DistrustRefused(`There is no signing key ${kid}. The command list-keys shows the keys.`)
  const { purpose, distrustedAt, distrustedFrom } = key
  if (distrustedAt !== null) {
    const since = earlier(distrustedFrom ?? distrustedAt, from)
    await tx.signingKey.update({ where: { kid }, data: { distrustedFrom: since } })
    return { purpose, from: since, isRepeated: true, newKid: null }
  }
  const isNeeded = await needsSuccessor(tx, key)
  await tx.signingKey.update({
    where: { kid },
    data: { distrustedAt: now, distrustedFrom: from, privateKey: null },
  })
  const newKid = isNeeded ? await addKey(tx, purpose, now) : null
  if (purpose === 'token') await enqueueReplacement(tx, kid, now)
  return { purpose, from, isRepeated: false, newKid }
}

const earlier = (left: Date, right: Date) => (left < right ? left : right)

/** Tells whether a new key is needed, because no newer key can sign. */
async function needsSuccessor(tx: Tx, { kid, purpose }: SigningKey): Promise<boolean> {
  const newest = await tx.signingKey.findFirst({
    where: { purpose, distrustedAt: null, privateKey: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { kid: 'desc' }],
    select: { kid: true },
  })
  return newest === null || newest.kid === kid
}

/**
 * Enqueues the work twice. The first row is due now, in case the command is interrupted. The second row is due when all running requests
 * have ended: after the first run, such a request may store something that the key signed.
 */
async function enqueueReplacement(tx: Tx, kid: string, now: Date): Promise<void> {
  enqueue(tx, now, 'replace_signatures', { kid })
  await tx.outbox.create({
    data: {
      kind: 'replace_signatures',
      payload: { kid },
      dueAt: secondsAfter(now, inFlightSeconds),
      createdAt: now,
    },
  })
}
