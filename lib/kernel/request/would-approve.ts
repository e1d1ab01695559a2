/** What a target would approve in place of what it rejected. The asker reads it as data and can ask again at once. */
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { readDecimal } from '@/lib/kernel/typed/decimal'

const Amount = z
  .strictObject({
    amount: z
      .string()
      .overwrite(readDecimal)
      .regex(/^\d{1,12}(\.\d{1,8})?$/, { error: m.field_amount_format })
      .meta({ description: 'A decimal number with a point, such as `50.00`.' }),
    currency: z.string().regex(/^[A-Z]{3}$/, { error: m.field_currency_format }),
  })
  .meta({ id: 'MaxAmount' })

/** At least one member. Each must be less than what was asked for. */
export const WouldApprove = z
  .strictObject({
    max_amount: Amount.optional().meta({ description: 'The highest amount of money.' }),
    scope: z
      .enum(['limited', 'timed'])
      .optional()
      .meta({ description: '`limited`: one use. `timed`: until the permission expires.' }),
    grant_expires_in: z
      .int()
      .min(60, { error: m.field_must_be_at_least_60_seconds })
      .max(2_592_000, { error: m.field_duration_month_limit })
      .optional()
      .meta({ description: 'The longest lifetime of the permission, in seconds.' }),
  })
  .refine((value) => Object.values(value).some((member) => member !== undefined), {
    error: m.field_counter_offer_empty,
  })
  .meta({ id: 'WouldApprove' })

export type WouldApprove = z.output<typeof WouldApprove>
