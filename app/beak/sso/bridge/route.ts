import { z } from 'zod'
import { bridgeToken } from '@/lib/domain/sso/bridge'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Bridge to another domain',
  description:
    'Spends an SSO token of your own for an access token (JWT, 15 minutes) whose audience is the `target`: the domain the SSO token was issued for. Nobody else accepts it, this API included.',
  auth: 'session',
  limit: 'authenticated',
  // A text that is no token or no host name is refused like a wrong one (contract B).
  body: z.strictObject({ sso_token: z.string().max(200), target: z.string().max(255) }),
  response: z.object({
    token: z.string(),
    token_type: z.literal('Bearer'),
    expires_at: instant,
    target: z.string(),
    scope: z.string(),
  }),
  failures: ['sso_token_invalid', 'sso_not_yours'],
  attempt: 'sso.bridged',
  handle: (context, { body }) => bridgeToken(context, body.sso_token, body.target),
})
