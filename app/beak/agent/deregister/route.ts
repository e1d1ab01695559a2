import { z } from 'zod'
import { Agent, agentBody } from '@/lib/domain/agents/schema'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'deregisterAgent',
  summary: 'Deregister an agent',
  description:
    'Ends the agent permanently. Its key stops working, its pending pecks are cancelled, its unused grants and SSO tokens are revoked, and rules for it end. The answer lists them.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: agentBody,
  // What ended with the agent.
  response: Agent.extend({
    retired_keys: z.array(z.string()),
    cancelled_pecks: z.array(z.string()),
    revoked_grants: z.array(z.string()),
    revoked_sso_tokens: z.array(z.string()),
    ended_rules: z.array(z.string()).meta({ description: 'Your rules for this agent.' }),
  }),
  failures: ['agent_not_found', 'agent_status_conflict'],
  attempt: 'agent.deregistered',
  handle: (context, { body }) => deregisterAgent(context, body.agent_id),
})
