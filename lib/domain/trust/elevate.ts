import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { flush, lockName, transaction } from '@/lib/db/transaction'
import { codeLifetimeSeconds, type NoTriesFailure, spendCode } from '@/lib/domain/codes/codes'
import { requestTextCode } from '@/lib/domain/codes/request-code'
import { recordPasskeyUse, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { pauseForOthers } from '@/lib/domain/rules/end-rules'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { instant, otpCode } from '@/lib/kernel/request/fields'
import { readPhoneNumber } from '@/lib/kernel/request/phone-number'
import { reaches, type Tier } from '@/lib/kernel/request/tier'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { readPhone } from '@/lib/kernel/typed/phone'

/** Records the new tier of the caller, for the audit log and for webhooks. */
export function recordElevation(tx: Tx, context: DucklingContext, from: Tier, to: Tier): void {
  const { caller } = context
  record(tx, context, 'trust.elevated', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { from, to },
    data: { duckling_id: caller.id, previous_tier: from, trust_tier: to },
  })
}

/** A mobile number in E.164 form to which text messages are allowed. */
const phone = z
  .string()
  .max(64, { error: m.field_must_be_phone_number_in_e, abort: true })
  .overwrite(readPhone)
  .regex(/^\+[1-9]\d{6,14}$/, { error: m.field_must_be_phone_number_in_e })
  .transform((value, context) => {
    const read = readPhoneNumber(value)
    if ('number' in read) return read.number
    context.addIssue({ code: 'custom', message: read.fault })
    return z.NEVER
  })
  .meta({ type: 'string', maxLength: undefined, pattern: undefined, examples: ['+14155550100'] })

/** One step of trust elevation. */
export const ElevationStep = z
  .strictObject({
    phone: phone.optional(),
    otp: otpCode.optional(),
    passkey: AssertionCredential.optional(),
  })
  .refine((step) => Object.values(step).filter((value) => value !== undefined).length === 1, {
    error: m.field_trust_proof_choice,
  })

export type ElevationStep = z.output<typeof ElevationStep>

export const Elevation = z.discriminatedUnion('status', [
  z.object({ status: z.literal('challenge_sent'), expires_at: instant }),
  z.object({ status: z.literal('elevated'), trust_tier: z.enum(['T2', 'T3']) }),
])

export type Elevation = z.input<typeof Elevation>

/**
 * Raises the caller from T2 to T3 with an assertion for a challenge with purpose `elevate`. Throws `tier_too_low`,
 * `tier_already_reached` or `passkey_assertion_invalid`.
 */
async function confirmWithPasskey(
  context: DucklingContext<'tier_too_low' | 'tier_already_reached' | 'passkey_assertion_invalid'>,
  credential: AssertionCredential,
): Promise<Elevation> {
  const { caller } = context
  if (caller.tier === 'T3') throw context.fail('tier_already_reached')
  if (!reaches(caller.tier, 'T2'))
    throw context.fail('tier_too_low', { required_tier: 'T2', current_tier: caller.tier })
  const verified = await verifyAssertion(context, credential, { purpose: 'elevate', ducklingId: caller.id })
  return transaction(async (tx) => {
    const refusal = await recordPasskeyUse(tx, context, verified)
    if (refusal !== null) return refusal
    const { count } = await tx.duckling.updateMany({
      where: { id: caller.id, trustTier: 'T2' },
      data: { trustTier: 'T3' },
    })
    if (count !== 1) throw context.fail('tier_already_reached')
    recordElevation(tx, context, 'T2', 'T3')
    return { status: 'elevated', trust_tier: 'T3' }
  })
}

/**
 * A number is verified for one account at a time (contract F, SMS). When another account verifies the number, it moves to that
 * account. The number is locked meanwhile, so that after simultaneous verifications exactly one account has it.
 */

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

/**
 * Verifies a phone number with a code by SMS. This raises T1 to T2 (spec section 3); at T2 and T3 it changes the number. It is a
 * sensitive change, so both steps need a recent proof of the owner.
 */

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
function sendPhoneCode(
  context: DucklingContext<StepFailure | 'too_many_codes_sent' | 'too_many_text_messages'>,
  phone: string,
): Promise<Elevation> {
  requireT1(context)
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    // No text message for the number that the caller has verified already.
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
function verifyPhone(
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

/** Takes one step of elevation: sends a code to a phone, spends the code (T1 → T2), or confirms with a passkey (T2 → T3). */
export function elevateTrust(
  context: DucklingContext<
    | 'tier_too_low'
    | 'tier_already_reached'
    | ProofFailure
    | 'too_many_codes_sent'
    | 'too_many_text_messages'
    | 'code_invalid'
    | NoTriesFailure
    | 'session_invalid'
    | 'passkey_assertion_invalid'
  >,
  { phone, otp, passkey }: ElevationStep,
): Promise<Elevation> {
  if (phone !== undefined) return sendPhoneCode(context, phone)
  if (otp !== undefined) return verifyPhone(context, otp)
  if (passkey !== undefined) return confirmWithPasskey(context, passkey)
  throw new Error('no step was given')
}
