import { SsoQuestion, SsoVerdict } from '@/lib/domain/sso/schema'
import { verifyToken } from '@/lib/domain/sso/verify'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'verifySsoTokenInQuery',
  summary: 'Verify an SSO token',
  description:
    'Returns the owner of a valid token, or `{"active": false}` for an invalid token or one for another `domain`. `amr` and `auth_time` say how and when the person proved who she is: demand `pop` (a passkey) and a recent time where it matters. A token that an agent issued has an empty `amr`, no `auth_time`, and names the agent. Does not spend the token. Proxies may log a token in the URL, so prefer POST.',
  auth: 'none',
  limit: 'anonymous',
  query: SsoQuestion,
  response: SsoVerdict,
  handle: (context, { query }) => verifyToken(context, query.token, query.domain),
})

// POST takes the token in the body, which proxies do not log.
export const POST = endpoint({
  operationId: 'verifySsoToken',
  summary: 'Verify an SSO token sent in the body',
  description: 'Answers like the GET. No log on the way has the token.',
  auth: 'none',
  limit: 'anonymous',
  body: SsoQuestion,
  response: SsoVerdict,
  handle: (context, { body }) => verifyToken(context, body.token, body.domain),
})
