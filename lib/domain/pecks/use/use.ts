import type { Params } from '@beak/decision/params'
import { canonicalText } from '@beak/proofs/canonical'
import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import {
  checkGrantActive,
  getGrantDigest,
  lockGrantedPeck,
  refuseUse,
  spendGrant,
} from '@/lib/domain/pecks/grant/spend'
import { params, paramsHash } from '@/lib/domain/pecks/params'
import { receiptOfPeck } from '@/lib/domain/pecks/receipts/outcome-receipt'
import { OutcomeReceipt, type OutcomeReceiptInput } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import { findPeckOfToken, type PeckRow, type PresentedGrant } from '@/lib/domain/pecks/rows'
import { publicRequester } from '@/lib/domain/pecks/schema'
import { Requester } from '@/lib/infrastructure/events/kinds/peck-data'
import { m } from '@/lib/kernel/messages'
import type { AnonymousContext, Context } from '@/lib/kernel/request/context'
import type { FieldError } from '@/lib/kernel/request/failures'
import { hostNameField } from '@/lib/kernel/request/host-name'

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Returns which top-level params of a use differ from the approved ones, for the holder of the grant token. Says nothing when more than one value
 * differs: otherwise somebody who found a token could guess one param after the other, where today all of them must be right at once.
 */
function differenceOf(approved: Params, sent: Params): FieldError[] {
  const names = [...new Set([...Object.keys(approved), ...Object.keys(sent)])].sort()
  let unlike = 0
  const errors = names.flatMap((name) => {
    const field = `params.${name}`
    const [isApproved, isSent] = [Object.hasOwn(approved, name), Object.hasOwn(sent, name)]
    const [known, given] = [approved[name], sent[name]]
    if (isApproved && isSent && canonicalText(known) === canonicalText(given)) return []
    if (isApproved && isSent && isPlain(known) && isPlain(given) && String(known) === String(given))
      return [{ field, message: m.field_must_be_of_type({ type: typeOf(known) }) }]
    unlike += 1
    if (!isSent) return [{ field, message: m.field_is_required() }]
    return [{ field, message: m.field_is_not_as_approved() }]
  })
  // A use without any params must not learn a name either.
  return unlike <= 1 && Object.keys(sent).length > 0 ? errors : []
}

/** Shapes of a use of a permission on the wire. */

/** A use of a permission, by the service that is about to do what was approved. */
export const GrantUse = z.strictObject({
  grant_token: z.string().min(1, 'must not be empty').max(4096),
  params,
  audience: hostNameField
    .meta({ description: 'Your host name. A permission for another service is refused.' })
    .optional(),
})

/** The answer to the service that checks the permission. */
export const Consumed = z
  .object({
    active: z.literal(true),
    peck_id: z.string(),
    action: z.string(),
    target_duckling_id: z.string(),
    requester: Requester,
    uses_left: z.int().nullable().meta({ description: 'null when the number of uses is not limited' }),
    receipt: OutcomeReceipt.meta({
      description:
        'The receipt, which shows who approved. It has the params, and not what the page displayed. Check it with a policy.',
    }),
  })
  .meta({ id: 'ConsumedGrant' })

type ConsumedInput = z.input<typeof Consumed>

/** Returns the answer for a peck with an active grant. */
function presentConsumed(peck: PeckRow, receipt: OutcomeReceiptInput): ConsumedInput {
  return {
    receipt,
    active: true,
    peck_id: peck.id,
    action: peck.action,
    target_duckling_id: peck.targetDucklingId,
    requester: publicRequester(peck),
    uses_left: peck.maxUses === null ? null : peck.maxUses - peck.uses,
  }
}

/**
 * Spends a use of a permission, or only checks it, and answers with the receipt, so that the service that acts does not have to believe this
 * one.
 */

type UseContext = AnonymousContext<
  'grant_token_invalid' | 'grant_not_active' | 'grant_mismatch' | 'grant_audience_mismatch' | 'paused'
>

/** A use of a permission. `audience`: host name of the service that acts. */
interface Use {
  grantToken: string
  params: Params
  audience?: string | undefined
}

/**
 * Spends one use, for the service that is about to do what was approved. Throws `grant_token_invalid`, `grant_not_active`,
 * `paused`, `grant_mismatch` when the params are not the approved ones, or `grant_audience_mismatch` when the permission is meant for another service.
 */
export async function consumeGrant(context: UseContext, use: Use): Promise<ConsumedInput> {
  const digest = getGrantDigest(context, use.grantToken)
  return transaction(async (tx) => {
    const peck = await lockGrantedPeck(tx, context, digest)
    checkUse(context, peck, use)
    return present(
      tx,
      context,
      { ...peck, ...spendGrant(tx, context, peck, use.audience) },
      { withLog: false },
    )
  })
}

/** Checks a use in the same way and spends nothing, so that a service can read the receipt before it uses the permission. */
export async function checkGrant(context: UseContext, use: Use): Promise<ConsumedInput> {
  const peck = await findPeckOfToken(getGrantDigest(context, use.grantToken))
  if (peck === null) throw context.fail('grant_token_invalid')
  checkUse(context, peck, use)
  return present(db(), context, peck, { withLog: true })
}

function checkUse(context: UseContext, peck: PresentedGrant, { params, audience }: Use): void {
  checkGrantActive(context, peck)
  if (peck.paramsHash !== paramsHash(params)) {
    const errors = differenceOf(JSON.parse(peck.params) as Params, params)
    throw refuseUse(context, peck, 'grant_mismatch', errors.length > 0 ? { errors } : {})
  }
  // Only a service that names itself is checked, because services that know no audience go on to work.
  if (audience !== undefined && peck.audience !== null && peck.audience !== audience)
    throw refuseUse(context, peck, 'grant_audience_mismatch')
}

/**
 * The receipt discloses the params, which the service has just named. What was displayed also has the words of the asker. The log does not have
 * a use before a minute is over, so the answer to a use does not read it.
 */
async function present(
  tx: Tx,
  { now }: Context,
  peck: PresentedGrant,
  { withLog }: { withLog: boolean },
): Promise<ConsumedInput> {
  const receipt = await receiptOfPeck(tx, peck, { disclosure: 'params', now, stored: peck, withLog })
  if (receipt === null) throw new Error('a permission without a decision')
  return presentConsumed(peck, receipt)
}

/**
 * Checks that a use which was counted earlier would still be allowed, so that no repeated answer says `active` about a permission that was
 * revoked or has expired since, or while the target has paused everything. Throws `grant_token_invalid`, `grant_not_active` or `paused`.
 */
export async function checkCountedUse(
  context: AnonymousContext<'grant_token_invalid' | 'grant_not_active' | 'paused'>,
  grantToken: string,
): Promise<void> {
  const peck = await findPeckOfToken(getGrantDigest(context, grantToken))
  if (peck === null) throw context.fail('grant_token_invalid')
  // The counted use may have been the last one.
  checkGrantActive(context, { ...peck, uses: peck.uses - 1 })
}
