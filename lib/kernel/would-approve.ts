/** What a target would approve in place of what it rejected. The asker reads it as data and can ask again at once. */
import { z } from 'zod'

const Amount = z
  .strictObject({
    amount: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,8})?$/, 'must be a decimal number such as 50.00')
      .meta({ description: 'A decimal number with a point, such as `50.00`.' }),
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, such as EUR'),
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
      .min(60, 'must be at least 60 seconds')
      .max(2_592_000, 'must be at most 2592000 seconds (30 days)')
      .optional()
      .meta({ description: 'The longest lifetime of the permission, in seconds.' }),
  })
  .refine((value) => Object.values(value).some((member) => member !== undefined), {
    message: 'must have at least one of max_amount, scope and grant_expires_in',
  })
  .meta({ id: 'WouldApprove' })

export type WouldApprove = z.output<typeof WouldApprove>
