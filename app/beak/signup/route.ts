import { z } from 'zod'
import { newPassword } from '@/lib/domain/identity/passwords'
import { displayName, referralCode } from '@/lib/domain/identity/schema'
import { signUp } from '@/lib/domain/identity/sign-up'
import { endpoint } from '@/lib/http/endpoint'
import { always, email, instant, tier } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Sign up',
  description:
    'Creates a duckling at tier T0, signs it in and mails a verification code. `display_name` is required unless you send `password`. Then the service generates a name if you send none.',
  auth: 'none',
  limit: 'signup',
  body: z
    .strictObject({
      email,
      display_name: displayName.optional(),
      password: newPassword.optional(),
      referral_code: referralCode.optional(),
    })
    .refine((body) => body.display_name !== undefined || body.password !== undefined, {
      path: ['display_name'],
      message: 'is required',
      when: always,
    }),
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    duckling_id: z.string(),
    token: z.string(),
    expires_at: instant,
    trust_tier: tier,
  }),
  failures: ['identity_exists'],
  attempt: 'duckling.registered',
  handle: async (context, { body }) => ({
    success: true as const,
    message: 'Welcome. We have mailed you a code: send it to POST /beak/verify-email.',
    ...(await signUp(context, {
      email: body.email,
      displayName: body.display_name,
      password: body.password,
      referralCode: body.referral_code,
    })),
  }),
})
