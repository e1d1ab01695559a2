import { validatePhoneNumberLength } from 'libphonenumber-js/min'
import { z } from 'zod'
import { instant, otpCode } from '@/lib/kernel/fields'
import { AssertionCredential } from '@/lib/passkeys/schema'

/** A phone number in E.164 form. Possible is enough: whether it can be reached, the code sent to it proves. */
export const phone = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number in E.164 form, for instance +14155550100')
  .refine(
    (value) => validatePhoneNumberLength(value) !== 'INVALID_COUNTRY',
    'must begin with the code of a country',
  )

/** One step of trust elevation. */
export const ElevationStep = z
  .strictObject({
    phone: phone.optional(),
    otp: otpCode.optional(),
    passkey: AssertionCredential.optional(),
  })
  .refine(
    (step) => Object.values(step).filter((value) => value !== undefined).length === 1,
    'must hold exactly one of phone, otp and passkey',
  )

export type ElevationStep = z.output<typeof ElevationStep>

export const Elevation = z.discriminatedUnion('status', [
  z.object({ status: z.literal('challenge_sent'), expires_at: instant }),
  z.object({ status: z.literal('elevated'), trust_tier: z.enum(['T2', 'T3']) }),
])

export type Elevation = z.input<typeof Elevation>
