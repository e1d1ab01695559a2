import { Agent, agentBody } from '@/lib/domain/agents/schema'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'suspendAgent',
  summary: 'Suspend an agent',
  description:
    'Stops the agent until you resume it. Its key, pecks and grants are not ended, but do not work while it is suspended.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: agentBody,
  response: Agent,
  failures: ['agent_not_found', 'agent_status_conflict'],
  attempt: 'agent.suspended',
  handle: (context, { body }) => suspendAgent(context, body.agent_id),
})
