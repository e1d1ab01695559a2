/**
 * A number is verified for one account at a time (contract F, SMS). When another account verifies the number, it moves to that
 * account. The number is locked meanwhile, so that after simultaneous verifications exactly one account has it.
 */
import type { Tx } from '@/lib/db/client'
import { lockName } from '@/lib/db/transaction'
import { pauseForOthers } from '@/lib/domain/rules/end-rules'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import type { Tier } from '@/lib/kernel/tier'
import { recordElevation } from './record-elevation'

interface Account {
  id: string
  tier: Tier
  phone: string | null
}

/**
 * Assigns a verified number to the caller and removes it from every other account. Returns the caller's tier: T1 becomes T2, T2 and
 * T3 stay. Throws `tier_already_reached` when the caller was elevated meanwhile or has the number already, and `session_invalid` when
 * the account was closed meanwhile.
 */
export async function moveNumber(
  tx: Tx,
  context: DucklingContext<'session_invalid' | 'tier_already_reached'>,
  number: string,
): Promise<'T2' | 'T3'> {
  const { caller } = context
  await lockName(tx, `phone:${number}`)
  const accounts = await lockAccounts(tx, caller.id, number)
  const own = accounts.find(({ id }) => id === caller.id)
  if (own === undefined) throw context.fail('session_invalid')
  if (own.tier !== 'T1' && (caller.tier === 'T1' || own.phone === number))
    throw context.fail('tier_already_reached')
  // In the order of ids, as everywhere, because each step locks the audit chain of an account.
  for (const account of accounts) {
    if (account === own) await assignNumber(tx, context, own, number)
    else await removeNumber(tx, context, account)
  }
  return own.tier === 'T3' ? 'T3' : 'T2'
}

/** Locks the caller's account and those that have the number, in the order of ids. */
function lockAccounts(tx: Tx, callerId: string, number: string): Promise<Account[]> {
  return tx.rows<Account>`
    SELECT "id", "trustTier"::text AS "tier", "phone" FROM "Duckling"
    WHERE "deletedAt" IS NULL AND ("id" = ${callerId} OR ("phone" = ${number} AND "phoneVerifiedAt" IS NOT NULL))
    ORDER BY "id" COLLATE "C" FOR NO KEY UPDATE`
}

async function assignNumber(
  tx: Tx,
  context: DucklingContext,
  { id, tier }: Account,
  number: string,
): Promise<void> {
  const { now } = context
  await tx.duckling.update({
    where: { id },
    data: { phone: number, phoneVerifiedAt: now, ...(tier === 'T1' ? { trustTier: 'T2' } : {}) },
  })
  if (tier === 'T1') recordElevation(tx, context, 'T1', 'T2')
  else record(tx, context, 'duckling.phone_changed', { targets: [{ type: 'duckling', id }] })
  rememberChange(tx, context, 'phone_changed')
  enqueueNotice(tx, now, id, 'phone_changed', { at: now.toISOString(), session: context.caller.sessionId })
}

/** Removes the number from an older account. Its audit log does not show which account has the number now. */
async function removeNumber(tx: Tx, context: DucklingContext, { id, tier }: Account): Promise<void> {
  const { now } = context
  const lowersTier = tier === 'T2' || tier === 'T3'
  await tx.duckling.update({
    where: { id },
    data: { phone: null, phoneVerifiedAt: null, ...(lowersTier ? { trustTier: 'T1' } : {}) },
  })
  const details = { concerning: [id], actor: systemActor, targets: [{ type: 'duckling' as const, id }] }
  if (!lowersTier) {
    record(tx, context, 'duckling.phone_changed', { ...details, metadata: { cause: 'phone_moved' } })
    return
  }
  record(tx, context, 'trust.lowered', {
    ...details,
    metadata: { from: tier, to: 'T1', cause: 'phone_moved' },
    data: { duckling_id: id, previous_tier: tier, trust_tier: 'T1' },
  })
  await pauseForOthers(tx, context, id)
  enqueueNotice(tx, now, id, 'tier_lowered', { at: now.toISOString() })
}
