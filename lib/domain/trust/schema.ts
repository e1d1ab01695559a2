import { z } from 'zod'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { instant, otpCode } from '@/lib/kernel/fields'
import { m } from '@/lib/kernel/messages'
import { readPhoneNumber } from '@/lib/kernel/phone-number'
import { readPhone } from '@/lib/kernel/typed/phone'

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
    error: m.field_must_have_exactly_one_phone_otp,
  })

export type ElevationStep = z.output<typeof ElevationStep>

export const Elevation = z.discriminatedUnion('status', [
  z.object({ status: z.literal('challenge_sent'), expires_at: instant }),
  z.object({ status: z.literal('elevated'), trust_tier: z.enum(['T2', 'T3']) }),
])

export type Elevation = z.input<typeof Elevation>
