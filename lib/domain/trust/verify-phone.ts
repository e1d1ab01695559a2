/**
 * Verifies a phone number with a code by SMS. This raises T1 to T2 (spec section 3); at T2 and T3 it changes the number. It is a
 * sensitive change (contract F), so both steps need a recent proof of the owner.
 */
import { flush, transaction } from '@/lib/db/transaction'
import { codeLifetimeSeconds, type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { requestTextCode } from '@/lib/domain/codes/request-code'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { Failure } from '@/lib/kernel/failures'
import { reaches } from '@/lib/kernel/tier'
import { moveNumber } from './move-number'
import type { Elevation } from './schema'

type StepFailure = ProofFailure | 'tier_too_low' | 'tier_already_reached'

function requireT1(context: DucklingContext<'tier_too_low'>): void {
  const { caller } = context
  if (!reaches(caller.tier, 'T1'))
    throw context.fail('tier_too_low', { required_tier: 'T1', current_tier: caller.tier })
}

/**
 * Enqueues a code by SMS. Throws `tier_too_low`, `fresh_sign_in_needed`, `fresh_passkey_needed`, `tier_already_reached`,
 * `too_many_codes_sent` or `too_many_text_messages`. The answer does not reveal whether another account has the number.
 */
export function sendPhoneCode(
  context: DucklingContext<StepFailure | 'too_many_codes_sent' | 'too_many_text_messages'>,
  phone: string,
): Promise<Elevation> {
  requireT1(context)
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    // No text message for the number that the caller has verified already (contract G).
    const verified = await tx.duckling.count({
      where: { id: caller.id, phone, phoneVerifiedAt: { not: null }, trustTier: { in: ['T2', 'T3'] } },
    })
    if (verified === 1) throw context.fail('tier_already_reached')
    await requestTextCode(tx, context, phone, caller.id)
    record(tx, context, 'trust.challenged', { metadata: { channel: 'sms' } })
    return { status: 'challenge_sent', expires_at: secondsAfter(now, codeLifetimeSeconds) }
  })
}

/**
 * Spends the code and assigns its number to the caller: T1 becomes T2, T2 and T3 stay. Removes the number from any other account.
 * Throws `tier_too_low`, `fresh_sign_in_needed`, `fresh_passkey_needed`, `tier_already_reached`, `session_invalid`, `code_invalid`,
 * `too_many_wrong_codes`, `code_paused` or `code_locked`.
 */
export function verifyPhone(
  context: DucklingContext<StepFailure | NoTriesFailure | 'session_invalid' | 'code_invalid'>,
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
    // The number moves under the lock of the account, see `spendCode`.
    await flush(tx)
    return { status: 'elevated', trust_tier: await moveNumber(tx, context, spent.address) }
  })
}
