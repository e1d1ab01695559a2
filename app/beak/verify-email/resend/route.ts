import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { codeLifetimeSeconds, resendAfterSeconds } from '@/lib/identity/codes'
import { resendVerification } from '@/lib/identity/verify-email'

export const POST = endpoint({
  summary: 'Ask for a new verification code',
  auth: 'session',
  limit: 'authenticated',
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    expires_in: z.int(),
    resend_after: z.int(),
  }),
  failures: ['already_verified', 'code_sends_exhausted', 'session_invalid'],
  attempt: 'code.requested',
  handle: async (context) => {
    await resendVerification(context)
    return {
      success: true as const,
      message: 'A new code is on its way.',
      expires_in: codeLifetimeSeconds,
      resend_after: resendAfterSeconds,
    }
  },
})
