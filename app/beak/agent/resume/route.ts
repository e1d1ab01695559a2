import { resumeAgent } from '@/lib/domain/agents/resume'
import { Agent, agentBody } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Resume an agent',
  description: 'Puts a suspended agent back where it was: bonded, or registered if it never bonded.',
  auth: 'session',
  limit: 'authenticated',
  body: agentBody,
  response: Agent,
  failures: ['agent_missing', 'agent_wrong_state'],
  attempt: 'agent.resumed',
  handle: (context, { body }) => resumeAgent(context, body.agent_id),
})
