import { z } from 'zod'
import { verifyEmail } from '@/lib/domain/identity/verify-email'
import { endpoint } from '@/lib/http/endpoint'
import { otpCode } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'verifyEmail',
  summary: 'Verify your email address and reach tier T1',
  remarks: [
    'The first proof of an address removes what others set up in the account (/docs/contract). An account at T1 or higher gets 409.',
  ],
  auth: 'session',
  limit: 'authenticated',
  allowsUnproved: true,
  idempotencyKey: true,
  body: z.strictObject({ otp: otpCode }),
  response: z.object({ success: z.literal(true), trust_tier: z.literal('T1'), duckling_id: z.string() }),
  failures: ['email_already_verified', 'code_invalid', 'too_many_wrong_codes', 'code_paused', 'code_locked'],
  attempt: 'duckling.verified',
  handle: (context, { body }) => verifyEmail(context, body.otp),
})
