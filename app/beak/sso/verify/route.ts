import { SsoQuestion, SsoVerdict } from '@/lib/domain/sso/schema'
import { verifyToken } from '@/lib/domain/sso/verify'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'verifySsoTokenInQuery',
  summary: 'Verify an SSO token',
  description:
    'Returns the owner of a valid token, or `{"active": false}` for an invalid token or one for another `domain`. Does not spend the token. Proxies may log a token in the URL, so prefer POST.',
  auth: 'none',
  limit: 'anonymous',
  query: SsoQuestion,
  response: SsoVerdict,
  handle: (context, { query }) => verifyToken(context, query.token, query.domain),
})

// POST takes the token in the body, which proxies do not log (contract B, sso/verify).
export const POST = endpoint({
  operationId: 'verifySsoToken',
  summary: 'Verify an SSO token sent in the body',
  auth: 'none',
  limit: 'anonymous',
  body: SsoQuestion,
  response: SsoVerdict,
  handle: (context, { body }) => verifyToken(context, body.token, body.domain),
})
