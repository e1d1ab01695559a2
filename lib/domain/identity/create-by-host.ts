import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { startRecoveryByHost } from '@/lib/domain/passkeys/recovery'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import type { Rate } from '@/lib/kernel/config/limits'
import { type AnonymousContext, type DucklingContext, hostContext } from '@/lib/kernel/request/context'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { mintToken } from '@/lib/kernel/secrets/secret-token'
import { makeSignInLink } from './sign-in-link'
import { createDuckling } from './sign-up'

/** Seconds in which the link of a new account can be used. */
export const newLinkSeconds = 7 * day
/** Seconds in which the link of an account that existed before can be used, once it works. */
const oldLinkSeconds = day

/**
 * Creates an account at tier T0 for an address that nobody has proved yet, whoever may sign up. Returns its id and a sign-in link that works at
 * once, or null when the address has an account or is reserved.
 */
export function createByHost(
  input: { email: string; fullName: string | undefined },
  now: Date,
): Promise<{ id: string; link: string } | null> {
  const id = newId('duckling', now)
  return transaction(async (tx) => {
    const { isCreated } = await createDuckling(tx, now, {
      ...input,
      id,
      displayName: undefined,
      referralCode: undefined,
      sessionId: null,
      passwordHash: null,
    })
    if (!isCreated) return null
    const targets = [{ type: 'duckling' as const, id }]
    const context = hostContext({ id, trustTier: 'T0' }, now)
    record(tx, context, 'account.created', { targets })
    record(tx, context, 'account.link_made', { targets })
    const expiresAt = secondsAfter(now, newLinkSeconds)
    return {
      id,
      link: await makeSignInLink(tx, now, { ducklingId: id, worksFrom: now, expiresAt, recoveryId: null }),
    }
  })
}

/**
 * Makes a sign-in link for an account that exists. It works when a recovery of the passkeys has ended: everybody who can cancel that is told at
 * once, and the passkeys are removed then. Returns null when a recovery waits already or the account is closed.
 */
export function recoverByHost(
  context: DucklingContext,
): Promise<{ link: string; worksFrom: Date; expiresAt: Date } | null> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const recovery = await startRecoveryByHost(tx, context)
    if (recovery === null) return null
    const { id: recoveryId, dueAt: worksFrom } = recovery
    const expiresAt = secondsAfter(worksFrom, oldLinkSeconds)
    record(tx, context, 'account.link_made', {
      targets: [{ type: 'duckling', id: caller.id }],
      metadata: { works_from: worksFrom.toISOString() },
    })
    const link = await makeSignInLink(tx, now, { ducklingId: caller.id, worksFrom, expiresAt, recoveryId })
    return { link, worksFrom, expiresAt }
  })
}

/** Passes for a sign-up, which the operator hands out (contract E, Who may sign up). */

/** Seconds that a pass can be used. */
export const passSeconds = 14 * day

export interface Invited {
  /** Normalized, as `email` of lib/kernel/request/fields.ts returns it. */
  email: string
  /** The name that the page suggests. */
  name: string | undefined
}

/** Makes one pass for each person. Returns the links to the sign-up page, in the same order. Only digests are stored. */
export async function makeSignUpPasses(people: Invited[], now: Date): Promise<string[]> {
  const passes = people.map(({ email, name }) => ({ email, name, ...mintToken('sign_up_pass', now) }))
  await db().signUpPass.createMany({
    data: passes.map(({ id, email, secretHash }) => ({
      id,
      email,
      tokenHash: secretHash,
      createdAt: now,
      expiresAt: secondsAfter(now, passSeconds),
    })),
  })
  return passes.map(({ token, email, name }) => {
    const query = new URLSearchParams({ pass: token, email, ...(name === undefined ? {} : { name }) })
    return `${config().baseUrl}/signup?${query}`
  })
}

/**
 * Sets the request limit of an enterprise account (spec section 8). Null restores the configured limit. Both numbers must be
 * integers. Throws `duckling_not_found`, also for a closed account.
 */
export function setLimit(
  context: AnonymousContext<'duckling_not_found'>,
  ducklingId: string,
  rate: Rate | null,
): Promise<void> {
  return transaction(async (tx) => {
    const { count } = await tx.duckling.updateMany({
      where: { id: ducklingId, deletedAt: null },
      data: { limitRate: rate?.perMinute ?? null, limitBurst: rate?.burst ?? null },
    })
    if (count !== 1) throw context.fail('duckling_not_found')
    record(tx, context, 'duckling.updated', {
      concerning: [ducklingId],
      actor: systemActor,
      targets: [{ type: 'duckling', id: ducklingId }],
      metadata: { limit_rate: rate?.perMinute ?? null, limit_burst: rate?.burst ?? null },
    })
  })
}
