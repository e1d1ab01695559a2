import { z } from 'zod'

/**
 * This text is mailed to an address that anybody may enter, so it must not contain anything that mail programs turn into a link.
 * One line of at most 64 characters (contract G).
 */
export const partnerType = z
  .string()
  .trim()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u,
    'must be 1–64 letters, digits, spaces, _ and -, such as partner or press-list',
  )

/** The body with the token of a link in a newsletter mail. */
export const SubscriptionLink = z.strictObject({ token: z.string().min(1, 'must not be empty').max(200) })

export const Done = z.object({ success: z.literal(true), message: z.string() })
export type DoneInput = z.input<typeof Done>
