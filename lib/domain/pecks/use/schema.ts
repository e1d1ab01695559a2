/** Shapes of a use of a permission on the wire (contract C, Pecks and grants). */
import { z } from 'zod'
import { params } from '@/lib/domain/pecks/params'
import { OutcomeReceipt, type OutcomeReceiptInput } from '@/lib/domain/pecks/receipts/outcome-receipt-schema'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { publicRequester } from '@/lib/domain/pecks/schema'
import { Requester } from '@/lib/infrastructure/events/kinds/peck-data'
import { hostNameField } from '@/lib/kernel/host-name'

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

export type ConsumedInput = z.input<typeof Consumed>

/** Returns the answer for a peck with an active grant. */
export function presentConsumed(peck: PeckRow, receipt: OutcomeReceiptInput): ConsumedInput {
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
