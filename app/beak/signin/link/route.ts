import { z } from 'zod'
import { linkToken } from '@/lib/domain/identity/schema'
import { signInWithLink } from '@/lib/domain/identity/sign-in-link'
import { DeviceToken } from '@/lib/domain/sessions/devices'
import { endpoint } from '@/lib/http/endpoint'
import { instant, tier } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'signInWithLink',
  summary: 'Sign in with a link of the host',
  description:
    'The host of a service can make a link for a person who cannot sign in otherwise. It signs in once. For an account that existed before, it works a day after it was made, and the account is told at once and can cancel it. Before, the answer is 409 with `next_allowed_at`, and the link can be used again.',
  remarks: ['A wrong, used or expired token is 404.'],
  auth: 'none',
  limit: 'signin',
  body: z.strictObject({ token: linkToken, device_token: DeviceToken.optional() }),
  response: z.object({ token: z.string(), expires_at: instant, trust_tier: tier, device_token: z.string() }),
  failures: ['link_invalid', 'link_too_early', 'account_suspended'],
  attempt: 'session.started',
  handle: (context, { body }) => signInWithLink(context, body.token, body.device_token),
})
