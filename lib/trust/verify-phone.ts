/** The step from T1 to T2: a phone number is verified by a code sent to it (spec section 3). */
import { transaction } from '@/lib/db/transaction'
import { promise } from '@/lib/events/outbox'
import { record } from '@/lib/events/record'
import { codeLifetimeSeconds, requestCode, spendCode } from '@/lib/identity/codes'
import { secondsAfter } from '@/lib/kernel/clock'
import { type DucklingContext, reaches } from '@/lib/kernel/context'
import { Failure, fail } from '@/lib/kernel/failures'
import { recordElevation } from './record-elevation'
import type { Elevation } from './schema'

/** Spec silent: a verified number is not changed here, so T2 and T3 have nothing more to do with a phone. */
function requireT1({ caller }: DucklingContext): void {
  if (reaches(caller.tier, 'T2')) throw fail('already_elevated')
  if (!reaches(caller.tier, 'T1'))
    throw fail('tier_too_low', { required_tier: 'T1', current_tier: caller.tier })
}

/**
 * Promises a code by SMS. Throws `tier_too_low`, `already_elevated` or `code_sends_exhausted`.
 * Spec silent: a number may belong to several ducklings, so the answer never tells whether somebody else has it.
 */
export function sendPhoneCode(context: DucklingContext, phone: string): Promise<Elevation> {
  requireT1(context)
  const { caller, now } = context
  return transaction(async (tx) => {
    const refusal = await requestCode(tx, context, 'phone', phone, caller.id)
    if (refusal) throw refusal
    await record(tx, context, 'trust.challenged', { metadata: { channel: 'sms' } })
    return { status: 'challenge_sent', expires_at: secondsAfter(now, codeLifetimeSeconds) }
  })
}

/** Raises T1 to T2 with the code. Throws `tier_too_low`, `already_elevated`, `code_invalid` or a 429. */
export function verifyPhone(context: DucklingContext, code: string): Promise<Elevation> {
  requireT1(context)
  const { caller, now } = context
  return transaction(async (tx) => {
    const spent = await spendCode(tx, context, {
      purpose: 'phone',
      ducklingId: caller.id,
      subject: caller.id,
      code,
      failure: 'code_invalid',
      event: 'trust.elevated',
    })
    if (spent instanceof Failure) return spent
    const { count } = await tx.duckling.updateMany({
      where: { id: caller.id, trustTier: 'T1' },
      data: { trustTier: 'T2', phone: spent.address, phoneVerifiedAt: now },
    })
    if (count !== 1) throw fail('already_elevated')
    await recordElevation(tx, context, 'T1', 'T2')
    await promise(tx, now, 'notice', {
      duckling_id: caller.id,
      notice: 'phone_changed',
      facts: { at: now.toISOString() },
    })
    return { status: 'elevated', trust_tier: 'T2' }
  })
}
