import { Agent, agentBody } from '@/lib/domain/agents/schema'
import { resumeAgent } from '@/lib/domain/agents/suspend'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'resumeAgent',
  summary: 'Resume an agent',
  description:
    'Resumes a suspended agent. Its status is `bonded` again, or `registered` when it has never bonded. Resuming needs a recent proof of you.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: agentBody,
  response: Agent,
  failures: ['agent_not_found', 'agent_status_conflict', 'fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'agent.resumed',
  handle: (context, { body }) => resumeAgent(context, body.agent_id),
})
