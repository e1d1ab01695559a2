/** Checks that what a target would approve is less than what was asked for. Otherwise the asker could not act on it. */

import { findMoney, type Money } from '@beak/decision/display/money'
import { isFreeText } from '@beak/decision/free-text'
import { moneyNameOf } from '@beak/decision/money-names'
import { structuredAmounts } from '@beak/decision/risk/amounts'
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { moveMail } from '@/lib/domain/pecks/mail/announce'
import { recordForTarget, recordPeck } from '@/lib/domain/pecks/record'
import type { HeldRejection } from '@/lib/domain/pecks/rows'
import {
  changePeck,
  findPeck,
  lockPeck,
  type PeckRow,
  requireAsker,
  requireTarget,
} from '@/lib/domain/pecks/rows'
import { type PeckInput, peckId, presentAnswer, presentPeck } from '@/lib/domain/pecks/schema'
import { leavePending, requirePending } from '@/lib/domain/pecks/state'
import { requireOpenLog } from '@/lib/infrastructure/events/chain'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { timeOrNull } from '@/lib/kernel/request/fields'
import type { WouldApprove } from '@/lib/kernel/request/would-approve'
import { requireSigner, verifyDecision } from '../statements/approval-proof'
import type { ApprovalProof } from '../statements/decision-statement'
import { displayedOf } from '../statements/decision-statement'
import { holdRejection, writeRejection } from './held-rejections'

interface FieldError {
  field: string
  message: string
}

/** How much a permission of each scope allows. */
const extent = { limited: 0, timed: 1, standing: 2 }

/** Returns the faults of the terms for this peck. */
function termsErrors(
  peck: Pick<PeckRow, 'action' | 'params' | 'scope' | 'grantSeconds'>,
  { max_amount: amount, scope, grant_expires_in: seconds }: WouldApprove,
): FieldError[] {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => errors.push({ field: `would_approve.${field}`, message })
  if (scope !== undefined && extent[scope] >= extent[peck.scope])
    refuse('scope', m.field_must_allow_less_than_scope_which({ scope: peck.scope }))
  if (seconds !== undefined && isFreeText(peck.action))
    refuse('grant_expires_in', m.field_favour_no_permission())
  else if (seconds !== undefined && seconds >= (peck.grantSeconds ?? Infinity))
    refuse('grant_expires_in', m.field_must_be_less_than_asked_for({ seconds: String(peck.grantSeconds) }))
  if (amount !== undefined) {
    const asked = amountsIn('', JSON.parse(peck.params)).filter(
      ({ currency }) => currency === null || currency === amount.currency,
    )
    const largest = Math.max(...asked.map((money) => Math.abs(money.amount)))
    if (asked.length === 0)
      refuse('max_amount', m.field_needs_amount_in_currency_in_request({ currency: amount.currency }))
    else if (Number(amount.amount) >= largest) refuse('max_amount', m.field_counter_amount_too_high())
  }
  return errors
}

/** Returns the amounts of a value and of all values inside of it. Params nest at most 32 levels deep. */
function amountsIn(name: string, value: unknown, currency: string | null = null): Money[] {
  const own = findMoney(value, moneyNameOf(name), currency).amounts
  if (typeof value !== 'object' || value === null) return own
  const structured = structuredAmounts(value)
  const inner = Object.entries(value).flatMap(([key, member]) =>
    amountsIn(Array.isArray(value) ? name : key, member, structured.currency),
  )
  return [...own, ...structured.amounts, ...inner]
}

type CheckFailure = 'peck_not_found' | 'not_the_target' | 'peck_not_pending' | 'invalid_request'
type RejectionContext = DucklingContext<CheckFailure | 'passkey_assertion_invalid'>

/** What a target may say with a rejection besides the reason. */
interface RejectionOptions {
  wouldApprove?: WouldApprove | undefined
  /** Whether something about the request was unclear. */
  isUnclear?: boolean
  /** For so many seconds the rejection can be undone. 0: it takes effect at once. */
  undoSeconds?: number
  passkey?: AssertionCredential | undefined
}

/**
 * Rejects a peck with a reason that the asker can read. A passkey assertion over the statement of the rejection is verified before the
 * transaction and stored with the peck. Throws `peck_not_found`, `not_the_target`, `peck_not_pending`, `passkey_assertion_invalid`, or
 * `invalid_request` when the target would approve more than was asked.
 */
export async function rejectPeck(
  context: RejectionContext,
  peckId: string,
  reason: string,
  options: RejectionOptions = {},
): Promise<PeckInput> {
  const proof = await verifyRejection(context, peckId, options)
  return transaction(async (tx) => {
    const locked = await lockPeck(tx, peckId)
    const current = withCurrentTime(context)
    const peck = checkRejection(current, locked, options)
    await requireSigner(tx, current, proof)
    if ((options.undoSeconds ?? 0) > 0) requireOpenLog(tx, current)
    return presentAnswer(applyRejection(tx, current, peck, { reason, proof, ...options }), current.now)
  })
}

/** Checks the rejection first, so that one that fails for another reason does not spend the challenge. */
async function verifyRejection(
  context: RejectionContext,
  peckId: string,
  options: RejectionOptions,
): Promise<ApprovalProof | null> {
  if (options.passkey === undefined) return null
  const peck = checkRejection(context, await findPeck(peckId), options)
  return verifyDecision(context, 'reject', peck, options.passkey)
}

/** Returns the peck when the caller may reject it in this way. */
function checkRejection(
  context: DucklingContext<CheckFailure>,
  found: PeckRow | null,
  { wouldApprove }: RejectionOptions,
): PeckRow {
  const peck = requireTarget(context, found)
  requirePending(context, peck)
  const errors = wouldApprove === undefined ? [] : termsErrors(peck, wouldApprove)
  if (errors.length > 0) throw context.fail('invalid_request', { errors })
  return peck
}

interface Terms extends RejectionOptions {
  reason: string
  /** The proof of the passkey assertion. Null: rejected without a passkey. */
  proof: ApprovalProof | null
}

/** Rejects a locked pending peck, and records the event; or keeps the rejection while it can be undone. Checks nothing. */
export function applyRejection(
  tx: Tx,
  context: DucklingContext,
  peck: PeckRow,
  { reason, wouldApprove, isUnclear = false, undoSeconds = 0, proof }: Terms,
): PeckRow {
  const { caller, ip, userAgent, requestId } = context
  const held: HeldRejection = {
    reason,
    wouldApprove: wouldApprove ?? null,
    unclear: isUnclear,
    approval: proof,
    displayed: displayedOf(peck).text,
    decidedBySession: caller.sessionId,
    passkeyId: proof?.passkey_id ?? null,
    origin: { ip, userAgent, requestId },
  }
  return undoSeconds === 0
    ? writeRejection(tx, context, peck, { rejectAt: context.now, held })
    : holdRejection(tx, context, peck, { held, seconds: undoSeconds })
}

/**
 * Cancels a pending peck of the caller. A person also cancels those of their agents, an agent only what it asked itself. A permission stays:
 * only the target takes it back. Throws `peck_not_found`, `not_the_asker` or `peck_not_pending`.
 */
export function cancelPeck(
  context: OperatorContext<'peck_not_found' | 'not_the_asker' | 'peck_not_pending'>,
  peckId: string,
): Promise<PeckInput> {
  return transaction(async (tx) => {
    const peck = requireAsker(context, await lockPeck(tx, peckId))
    const current = withCurrentTime(context)
    requirePending(current, peck)
    const cancelled = leavePending(tx, current, peck, { status: 'cancelled' })
    recordPeck(tx, current, 'peck.cancelled', cancelled)
    return presentPeck(cancelled, current.now)
  })
}

export const SnoozeRequest = z.strictObject({
  peck_id: peckId,
  until: timeOrNull('Later than now and before the peck expires. null brings the peck back at once.'),
})

type SnoozeContext = DucklingContext<
  'peck_not_found' | 'not_the_target' | 'peck_not_pending' | 'invalid_request'
>

/**
 * Takes a pending peck out of the inbox of its target until a time, or brings it back when `until` is null. Only the target learns of it.
 * Throws `peck_not_found`, `not_the_target`, `peck_not_pending`, or `invalid_request` for a time in the past or after the peck expires.
 */
export function snoozePeck(
  context: SnoozeContext,
  { peck_id: id, until }: z.output<typeof SnoozeRequest>,
): Promise<PeckInput> {
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, id))
    const current = withCurrentTime(context)
    requirePending(current, peck)
    checkTime(current, peck, until)
    if (until?.getTime() === peck.snoozedUntil?.getTime()) return presentAnswer(peck, current.now)
    const snoozed = changePeck(tx, peck, { snoozedUntil: until })
    if (peck.snoozedUntil !== null) moveMail(tx, { id, from: peck.snoozedUntil, until }, current.now)
    recordForTarget(tx, current, 'peck.snoozed', snoozed, { until: until?.toISOString() ?? null })
    return presentAnswer(snoozed, current.now)
  })
}

function checkTime(context: SnoozeContext, peck: PeckRow, until: Date | null): void {
  if (until === null || (until > context.now && until < peck.expiresAt)) return
  const message =
    until <= context.now
      ? m.field_snooze_time_past()
      : m.field_must_be_before_time_when_peck({ time: peck.expiresAt.toISOString() })
  throw context.fail('invalid_request', { errors: [{ field: 'until', message }] })
}
