import { z } from 'zod'
import { peckId } from '@/lib/domain/pecks/schema'
import { Requester } from '@/lib/infrastructure/events/kinds/peck-data'
import { instant } from '@/lib/kernel/fields'
import { OutcomeReceipt } from './outcome-receipt-schema'

export const ShareRequest = z.strictObject({
  peck_id: peckId,
  values: z.boolean().default(false).meta({
    description:
      'Whether the page also shows the params and what the decision page displayed. It never shows secret values: with one, it shows only the other params.',
  }),
})

export const Share = z
  .object({
    peck_id: z.string(),
    share_id: z.string(),
    url: z.string().meta({ description: 'The public page of the receipt.' }),
    values: z.boolean(),
    shared_at: instant,
  })
  .meta({ id: 'ReceiptShare' })

export const ShareEnded = z.object({ success: z.literal(true), peck_id: z.string() })

/** 16 random bytes in Crockford's base32. */
export const shareId = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id in the link of a receipt')

export const SharedReceipt = z
  .object({
    receipt: OutcomeReceipt,
    requester: Requester,
    target: z.object({
      duckling_id: z.string(),
      display_name: z.string(),
      full_name: z
        .string()
        .optional()
        .meta({ description: 'The name in any script, if the person had one.' }),
    }),
    shared_by: z.enum(['requester', 'target']),
    shared_at: instant,
  })
  .meta({ id: 'SharedReceipt' })
