import { z } from 'zod'
import { bridgeToken } from '@/lib/domain/sso/verify'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'bridgeSsoToken',
  summary: 'Exchange an SSO token for an access token',
  description:
    'Spends an SSO token of yours and returns an access token (JWT, 15 minutes). Its audience is the `target`, the domain that the SSO token was issued for. No other service accepts it, nor does this API. Its claims `amr` and `auth_time` say how and when the person proved who she is to the session that issued the SSO token. When an agent issued it, `amr` is empty, `auth_time` is missing, and `agent_id` names the agent.',
  remarks: [
    'Of many simultaneous calls with one SSO token one succeeds. A token of another duckling or another domain is 403, and a spent or expired one 401.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  // Malformed tokens and host names get the same error as wrong ones.
  body: z.strictObject({ sso_token: z.string().max(200), target: z.string().max(255) }),
  response: z.object({
    token: z.string(),
    token_type: z.literal('Bearer'),
    expires_at: instant,
    target: z.string(),
    scope: z.string(),
  }),
  failures: ['sso_token_invalid', 'sso_token_mismatch'],
  attempt: 'sso.bridged',
  handle: (context, { body }) => bridgeToken(context, body.sso_token, body.target),
})
