import { z } from 'zod'
import { audience } from '@/lib/domain/agents/schema'
import { issueAgentToken } from '@/lib/domain/agents/verify'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'issueAgentToken',
  summary: 'Prove an agent to a third party',
  description:
    'Returns a JWT (`typ: agent+jwt`) for one audience, valid for five minutes. The third party verifies it with /.well-known/jwks.json, so the agent does not show its key. This API does not accept the token.',
  auth: 'bonded-key',
  limit: 'authenticated',
  idempotencyKey: true,
  headers: { 'X-Beak-Key': "The agent's beak key" },
  body: z.strictObject({ audience }),
  response: z.object({
    token: z.string(),
    token_type: z.literal('Bearer'),
    expires_at: instant,
    audience: z.string(),
  }),
  attempt: 'agent.token_issued',
  handle: (context, { body }) => issueAgentToken(context, body.audience),
})
