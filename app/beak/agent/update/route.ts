import { z } from 'zod'
import { Agent, agentId, agentName } from '@/lib/domain/agents/schema'
import { updateAgent } from '@/lib/domain/identity/update-profile'
import { endpoint } from '@/lib/http/endpoint'
import { always } from '@/lib/kernel/request/fields'

// Here the owner switches keys in the query string off for an agent (contract A, Beak key).
export const POST = endpoint({
  operationId: 'updateAgent',
  summary: 'Change an agent',
  description:
    'Changes its name, and whether its key is accepted in the query string (`?beak_key=`). Capabilities cannot be changed: register another agent instead.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z
    .strictObject({
      agent_id: agentId,
      agent_name: agentName.optional(),
      allow_query_key: z.boolean().optional(),
    })
    .refine((body) => body.agent_name !== undefined || body.allow_query_key !== undefined, {
      path: ['agent_name'],
      message: 'or allow_query_key is required',
      when: always,
    }),
  response: Agent,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'agent_not_found', 'agent_status_conflict'],
  attempt: 'agent.updated',
  handle: (context, { body }) =>
    updateAgent(context, body.agent_id, { name: body.agent_name, allowQueryKey: body.allow_query_key }),
})
