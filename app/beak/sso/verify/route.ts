import { z } from 'zod'
import { SsoVerdict } from '@/lib/domain/sso/schema'
import { verifyToken } from '@/lib/domain/sso/verify'
import { endpoint } from '@/lib/http/endpoint'

const question = z.strictObject({ token: z.string(), domain: z.string().optional() })

export const GET = endpoint({
  summary: 'Verify an SSO token',
  description:
    'Whom a token speaks for; `{"active": false}` for any that is not good, also for another `domain` than its own. Does not spend it. The token in the address may end up in logs on its way: better send it with POST.',
  auth: 'none',
  limit: 'anonymous',
  query: question,
  response: SsoVerdict,
  handle: (context, { query }) => verifyToken(context, query.token, query.domain),
})

// Spec silent: the same with the token in the body, which no proxy logs (security bar, D4).
export const POST = endpoint({
  summary: 'Verify an SSO token sent in the body',
  auth: 'none',
  limit: 'anonymous',
  body: question,
  response: SsoVerdict,
  handle: (context, { body }) => verifyToken(context, body.token, body.domain),
})
