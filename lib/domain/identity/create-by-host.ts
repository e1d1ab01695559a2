import { transaction } from '@/lib/db/transaction'
import { startRecoveryByHost } from '@/lib/domain/passkeys/start-recovery'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { type DucklingContext, hostContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
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
