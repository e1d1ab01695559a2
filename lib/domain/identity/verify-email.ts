import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { requestCode } from '@/lib/domain/codes/request-code'
import { proveAddress } from '@/lib/domain/revocation/prove-address'
import { recordElevation } from '@/lib/domain/trust/record-elevation'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { Failure, fail } from '@/lib/kernel/failures'
import { updateListing } from './directory'

/** Raises T0 to T1 with the code from the mail (spec section 3). Throws `already_verified`, `code_invalid` or a 429. */
export function verifyEmail(
  context: DucklingContext<'code_invalid' | NoTriesFailure>,
  code: string,
): Promise<{ duckling_id: string; trust_tier: 'T1' }> {
  const { caller } = context
  if (caller.tier !== 'T0') throw fail('already_verified')
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
    if (!raised) throw fail('already_verified')
    await updateListing(tx, caller.id)
    await record(tx, context, 'duckling.verified', { targets: [{ type: 'duckling', id: caller.id }] })
    await recordElevation(tx, context, 'T0', 'T1')
    if (raised.referredByCode !== null) await layEgg(tx, context, raised.referredByCode)
    return { duckling_id: caller.id, trust_tier: 'T1' }
  })
}

/** The duckling whose own referral code brought this one lays an egg (contract B, profile). */
async function layEgg(tx: Tx, context: DucklingContext, referralCode: string): Promise<void> {
  const referrer = await tx.duckling.findFirst({
    where: { referralCode, deletedAt: null, id: { not: context.caller.id } },
    select: { id: true },
  })
  if (!referrer) return
  await tx.duckling.update({ where: { id: referrer.id }, data: { eggCount: { increment: 1 } } })
  await record(tx, context, 'egg.laid', { concerning: [referrer.id], actor: systemActor })
}

/** Promises a new verification code. Throws `already_verified` or `code_sends_exhausted`. */
export function resendVerification(context: DucklingContext<'code_sends_exhausted'>): Promise<void> {
  const { caller } = context
  if (caller.tier !== 'T0') throw fail('already_verified')
  return transaction(async (tx) => {
    const { email } = await tx.duckling.findUniqueOrThrow({
      where: { id: caller.id },
      select: { email: true },
    })
    if (email === null) throw fail('session_invalid')
    await requestCode(tx, context, 'verify_email', email, caller.id)
    await record(tx, context, 'code.requested', { metadata: { purpose: 'verify_email' } })
  })
}
