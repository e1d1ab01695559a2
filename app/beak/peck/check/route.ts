import { Consumed, checkGrant, GrantUse } from '@/lib/domain/pecks/use/use'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'checkGrant',
  summary: 'Check a permission without spending it',
  description:
    'Gives the same answer as a use and spends nothing. Use it to read the receipt before you spend the permission. Another request may spend it in between, so only the answer to a use tells whether you may act.',
  remarks: ['A refusal counts as a refused use.'],
  auth: 'none',
  limit: 'anonymous',
  body: GrantUse,
  response: Consumed,
  failures: [
    'grant_token_invalid',
    'grant_not_active',
    'grant_mismatch',
    'grant_audience_mismatch',
    'paused',
  ],
  attempt: 'peck.consumed',
  handle: (context, { body }) =>
    checkGrant(context, { grantToken: body.grant_token, params: body.params, audience: body.audience }),
})
