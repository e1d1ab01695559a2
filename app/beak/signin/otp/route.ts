import { z } from 'zod'
import { CodeSent, presentCodeSent } from '@/lib/domain/identity/schema'
import { requestSignInCode } from '@/lib/domain/identity/sign-in'
import { DeviceToken } from '@/lib/domain/sessions/devices'
import { endpoint } from '@/lib/http/endpoint'
import { email } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Ask for a sign-in code',
  description:
    'The answer is the same whether or not the address is known. `expires_in` and `resend_after` are seconds. A code asked for with a `device_token` works on that device only, and is counted apart from those that strangers ask for.',
  auth: 'none',
  limit: 'otp',
  body: z.strictObject({ email, device_token: DeviceToken.optional() }),
  response: CodeSent,
  handle: async (context, { body }) => {
    await requestSignInCode(context, body.email, body.device_token)
    return presentCodeSent('If this address has an account, a code is on its way.')
  },
})
