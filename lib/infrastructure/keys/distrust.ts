/**
 * A stolen signing key. Once it is distrusted nothing that it signed counts any more, on every instance from the next request on:
 * the key leaves the JWKS and the verification, its private half is destroyed, and another key signs at once.
 */
import type { Tx } from '@/lib/db/client'
import type { SigningKey } from '@/lib/db/generated/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { inFlightSeconds } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import { reloadKeys } from './signing-keys'
import { addKey, keysLock } from './stored-keys'

/** Why a key was not distrusted: the message is for the operator. */
export class DistrustRefused extends Error {
  override readonly name = 'DistrustRefused'
}

export interface Distrusted {
  purpose: SigningKey['purpose']
  /** Since when somebody else may have signed with the key. */
  from: Date
  /** The key was distrusted by an earlier call; this one changed the time at most. */
  isRepeated: boolean
  /** The key that was made to take its place; null where another key signs already. */
  newKid: string | null
}

/**
 * Distrusts a key since `from`, and makes another one when no other key would sign. A key that was distrusted before keeps the earlier
 * of both times: a theft may turn out to be older than it seemed, never younger. Sessions and certificates of the key are for
 * `replaceSignatures`, which the worker runs too. Throws `DistrustRefused` for an unknown key and for a time in the future.
 */
export async function distrustKey(kid: string, from: Date, now: Date): Promise<Distrusted> {
  if (from > now)
    throw new DistrustRefused(
      `${from.toISOString()} is in the future. Give the time since when somebody else may have had the key.`,
    )
  const outcome = await transaction((tx) => markDistrusted(tx, kid, from, now))
  await reloadKeys()
  return outcome
}

async function markDistrusted(tx: Tx, kid: string, from: Date, now: Date): Promise<Distrusted> {
  // Two simultaneous calls must not each count on the other's key.
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

/** Whether a key must be made: no newer key could sign in place of this one. */
async function needsSuccessor(tx: Tx, { kid, purpose }: SigningKey): Promise<boolean> {
  const newest = await tx.signingKey.findFirst({
    where: { purpose, distrustedAt: null, privateKey: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { kid: 'desc' }],
    select: { kid: true },
  })
  return newest === null || newest.kid === kid
}

/**
 * Enqueues the work twice. The first row is due now, in case the command is interrupted. The second is due when every request that
 * began before has ended: such a request may store something that the key signed, after the first run has passed.
 */
async function enqueueReplacement(tx: Tx, kid: string, now: Date): Promise<void> {
  await enqueue(tx, now, 'replace_signatures', { kid })
  await tx.outbox.create({
    data: {
      kind: 'replace_signatures',
      payload: { kid },
      dueAt: secondsAfter(now, inFlightSeconds),
      createdAt: now,
    },
  })
}
