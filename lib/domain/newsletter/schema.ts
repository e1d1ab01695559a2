import { z } from 'zod'
import { m } from '@/lib/kernel/messages'

/**
 * This text is mailed to an address that anybody may enter, so it must not contain anything that mail programs turn into a link.
 * One line of at most 64 characters (contract G).
 */
export const partnerType = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u, { error: m.field_must_be_1_64_letters_digits })

/** The body with the token of a link in a newsletter mail. */
export const SubscriptionLink = z.strictObject({
  token: z.string().min(1, { error: m.field_must_not_be_empty }).max(200),
})

export const Done = z.object({ success: z.literal(true), message: z.string() })
export type DoneInput = z.input<typeof Done>
