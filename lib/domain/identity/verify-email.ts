import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { flush, together, transaction } from '@/lib/db/transaction'
import { type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { requestCode } from '@/lib/domain/codes/request-code'
import { proveAddress } from '@/lib/domain/revocation/prove-address'
import { recordElevation } from '@/lib/domain/trust/elevate'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { type CodeSentInput, presentCodeSent } from './schema'
import { isListedAt } from './update-profile'

/**
 * Raises the caller from T0 to T1 with the mailed code (spec section 3). Throws `email_already_verified`, `code_invalid`,
 * `too_many_wrong_codes`, `code_paused`, `code_locked` or `session_invalid`.
 */
export function verifyEmail(
  context: DucklingContext<'email_already_verified' | 'code_invalid' | NoTriesFailure | 'session_invalid'>,
  code: string,
): Promise<{ success: true; duckling_id: string; trust_tier: 'T1' }> {
  const { caller } = context
  if (caller.tier !== 'T0') throw context.fail('email_already_verified')
  return transaction(async (tx) => {
    const spent = await spendCode(tx, context, {
      purpose: 'verify_email',
      ducklingId: caller.id,
      subject: caller.id,
      code,
      address: currentEmail(caller.id),
      failure: 'code_invalid',
      event: 'duckling.verified',
    })
    if (spent instanceof Failure) return spent
    const raise = () => raiseTier(tx, caller.id, spent.address)
    // Raised with the first try of the proof, because it seldom has to remove something.
    const [, isUndone, first] = await together([flush(tx), proveAddress(tx, context), raise()])
    const raised = isUndone ? await raise() : first
    if (raised === undefined) throw context.fail('email_already_verified')
    record(tx, context, 'duckling.verified', { targets: [{ type: 'duckling', id: caller.id }] })
    recordElevation(tx, context, 'T0', 'T1')
    if (raised.referredByCode !== null) await layEgg(tx, context, raised.referredByCode)
    return { success: true, duckling_id: caller.id, trust_tier: 'T1' }
  })
}

/** Raises an account from T0 to T1, if it still has the address. */
async function raiseTier(
  tx: Tx,
  id: string,
  address: string,
): Promise<{ referredByCode: string | null } | undefined> {
  const [raised] = await tx.rows<{ referredByCode: string | null }>`
    UPDATE "Duckling" SET "trustTier" = 'T1', "listed" = ${isListedAt(sql`'T1'`)}
    WHERE "id" = ${id} AND "trustTier" = 'T0' AND "email" = ${address}
    RETURNING "referredByCode"`
  return raised
}

/** Reads the address of an account. */
const currentEmail = (id: string) => sql`(SELECT "email" FROM "Duckling" WHERE "id" = ${id})`

/** Adds an egg to the duckling whose referral code was used at sign-up. */
async function layEgg(tx: Tx, context: DucklingContext, referralCode: string): Promise<void> {
  const [referrer] = await tx.rows<{ id: string }>`
    UPDATE "Duckling" SET "eggCount" = "eggCount" + 1
    WHERE "referralCode" = ${referralCode} AND "deletedAt" IS NULL AND "id" <> ${context.caller.id}
    RETURNING "id"`
  if (referrer) record(tx, context, 'egg.laid', { concerning: [referrer.id], actor: systemActor })
}

/** Enqueues a new verification code. Throws `email_already_verified`, `too_many_codes_sent` or `session_invalid`. */
export function resendVerification(
  context: DucklingContext<'email_already_verified' | 'too_many_codes_sent' | 'session_invalid'>,
): Promise<CodeSentInput> {
  const { caller } = context
  if (caller.tier !== 'T0') throw context.fail('email_already_verified')
  return transaction(async (tx) => {
    const [row] = await tx.rows<{ email: string | null }>`SELECT ${currentEmail(caller.id)} AS "email"`
    const email = row?.email ?? null
    if (email === null) throw context.fail('session_invalid')
    await requestCode(tx, context, 'verify_email', email, caller.id)
    record(tx, context, 'code.requested', { metadata: { purpose: 'verify_email' } })
    return presentCodeSent('A new code is on its way.')
  })
}
