import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { CodeSent, presentCodeSent } from '@/lib/identity/schema'
import { requestSignInCode } from '@/lib/identity/sign-in'
import { email } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Ask for a sign-in code',
  description:
    'The answer is the same whether or not the address is known. `expires_in` and `resend_after` are seconds.',
  auth: 'none',
  limit: 'otp',
  body: z.strictObject({ email }),
  response: CodeSent,
  handle: async (context, { body }) => {
    await requestSignInCode(context, body.email)
    return presentCodeSent('If this address has an account, a code is on its way.')
  },
})
