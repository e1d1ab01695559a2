import { z } from 'zod'
import { CodeSent } from '@/lib/domain/identity/schema'
import { requestSignInCode } from '@/lib/domain/identity/sign-in'
import { DeviceToken } from '@/lib/domain/sessions/devices'
import { endpoint } from '@/lib/http/endpoint'
import { email } from '@/lib/kernel/typed/email'

export const POST = endpoint({
  operationId: 'requestSignInCode',
  summary: 'Ask for a sign-in code',
  description:
    'The answer is the same for known and unknown addresses. `expires_in` and `resend_after` are in seconds. A code that was requested with a `device_token` works only on that device, and is counted separately from codes that strangers request.',
  auth: 'none',
  limit: 'otp',
  budget: 'code',
  idempotencyKey: true,
  body: z.strictObject({ email, device_token: DeviceToken.optional() }),
  response: CodeSent,
  handle: (context, { body }) => requestSignInCode(context, body.email, body.device_token),
})
