import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { requestCode } from '@/lib/domain/codes/request-code'
import { proveAddress } from '@/lib/domain/revocation/prove-address'
import { recordElevation } from '@/lib/domain/trust/record-elevation'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { Failure } from '@/lib/kernel/failures'
import { updateListing } from './directory'

/**
 * Raises the caller from T0 to T1 with the mailed code (spec section 3). Throws `already_verified`, `code_invalid`,
 * `code_tries_exhausted`, `code_paused`, `code_locked` or `session_invalid`.
 */
export function verifyEmail(
  context: DucklingContext<'already_verified' | 'code_invalid' | NoTriesFailure | 'session_invalid'>,
  code: string,
): Promise<{ duckling_id: string; trust_tier: 'T1' }> {
  const { caller } = context
  if (caller.tier !== 'T0') throw context.fail('already_verified')
  return transaction(async (tx) => {
    const duckling = await tx.duckling.findUniqueOrThrow({ where: { id: caller.id } })
    const spent = await spendCode(tx, context, {
      purpose: 'verify_email',
      ducklingId: caller.id,
      subject: caller.id,
      code,
      address: duckling.email ?? '',
      failure: 'code_invalid',
      event: 'duckling.verified',
    })
    if (spent instanceof Failure) return spent
    await proveAddress(tx, context)
    const [raised] = await tx.duckling.updateManyAndReturn({
      where: { id: caller.id, trustTier: 'T0', email: spent.address },
      data: { trustTier: 'T1' },
      select: { referredByCode: true },
    })
    if (!raised) throw context.fail('already_verified')
    await updateListing(tx, caller.id)
    record(tx, context, 'duckling.verified', { targets: [{ type: 'duckling', id: caller.id }] })
    recordElevation(tx, context, 'T0', 'T1')
    if (raised.referredByCode !== null) await layEgg(tx, context, raised.referredByCode)
    return { duckling_id: caller.id, trust_tier: 'T1' }
  })
}

/** Adds an egg to the duckling whose referral code was used at sign-up (contract B, profile). */
async function layEgg(tx: Tx, context: DucklingContext, referralCode: string): Promise<void> {
  const referrer = await tx.duckling.findFirst({
    where: { referralCode, deletedAt: null, id: { not: context.caller.id } },
    select: { id: true },
  })
  if (!referrer) return
  await tx.duckling.update({ where: { id: referrer.id }, data: { eggCount: { increment: 1 } } })
  record(tx, context, 'egg.laid', { concerning: [referrer.id], actor: systemActor })
}

/** Enqueues a new verification code. Throws `already_verified`, `code_sends_exhausted` or `session_invalid`. */
export function resendVerification(
  context: DucklingContext<'already_verified' | 'code_sends_exhausted' | 'session_invalid'>,
): Promise<void> {
  const { caller } = context
  if (caller.tier !== 'T0') throw context.fail('already_verified')
  return transaction(async (tx) => {
    const { email } = await tx.duckling.findUniqueOrThrow({
      where: { id: caller.id },
      select: { email: true },
    })
    if (email === null) throw context.fail('session_invalid')
    await requestCode(tx, context, 'verify_email', email, caller.id)
    record(tx, context, 'code.requested', { metadata: { purpose: 'verify_email' } })
  })
}
