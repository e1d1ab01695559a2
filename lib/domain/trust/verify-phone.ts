/**
 * Verifies a phone number by a code sent to it: the step from T1 to T2 (spec section 3), and at T2 and T3 a change of number. A
 * sensitive change (contract F), so both steps need a recent proof of the owner.
 */
import { transaction } from '@/lib/db/transaction'
import { codeLifetimeSeconds, type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { requestTextCode } from '@/lib/domain/codes/request-code'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import { type DucklingContext, reaches } from '@/lib/kernel/context'
import { Failure, fail } from '@/lib/kernel/failures'
import { moveNumber } from './move-number'
import type { Elevation } from './schema'

function requireT1({ caller }: DucklingContext): void {
  if (!reaches(caller.tier, 'T1'))
    throw fail('tier_too_low', { required_tier: 'T1', current_tier: caller.tier })
}

/**
 * Enqueues a code by SMS. Throws `tier_too_low`, `fresh_sign_in_needed`, `passkey_proof_needed`, `already_elevated`,
 * `code_sends_exhausted` or `texts_exhausted`. The answer never tells whether somebody else has the number.
 */
export function sendPhoneCode(
  context: DucklingContext<ProofFailure | 'code_sends_exhausted' | 'texts_exhausted'>,
  phone: string,
): Promise<Elevation> {
  requireT1(context)
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    // Spec silent: the caller's own number is verified already, so it costs no text.
    const verified = await tx.duckling.count({
      where: { id: caller.id, phone, phoneVerifiedAt: { not: null }, trustTier: { in: ['T2', 'T3'] } },
    })
    if (verified === 1) throw fail('already_elevated')
    await requestTextCode(tx, context, phone, caller.id)
    await record(tx, context, 'trust.challenged', { metadata: { channel: 'sms' } })
    return { status: 'challenge_sent', expires_at: secondsAfter(now, codeLifetimeSeconds) }
  })
}

/**
 * Spends the code and makes its number the caller's: T1 becomes T2, T2 and T3 stay. Another account that had the number loses
 * it. Throws `tier_too_low`, `fresh_sign_in_needed`, `passkey_proof_needed`, `already_elevated`, `code_invalid` or a 429.
 */
export function verifyPhone(
  context: DucklingContext<ProofFailure | 'code_invalid' | NoTriesFailure>,
  code: string,
): Promise<Elevation> {
  requireT1(context)
  const { caller } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const spent = await spendCode(tx, context, {
      purpose: 'phone',
      ducklingId: caller.id,
      subject: caller.id,
      code,
      failure: 'code_invalid',
      event: 'trust.elevated',
    })
    if (spent instanceof Failure) return spent
    return { status: 'elevated', trust_tier: await moveNumber(tx, context, spent.address) }
  })
}
