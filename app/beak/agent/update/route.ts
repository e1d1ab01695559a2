import { Agent, AgentChange } from '@/lib/domain/agents/schema'
import { updateAgent } from '@/lib/domain/identity/update-profile'
import { endpoint } from '@/lib/http/endpoint'

// Here the owner switches keys in the query string off for an agent (contract A, Beak key).
export const POST = endpoint({
  operationId: 'updateAgent',
  summary: 'Change an agent',
  description:
    'Changes its name, whether its key is accepted in the query string (`?beak_key=`), and whether it may ask people other than you (`asks_others`). For the agent of a connected program, `scopes` says all that it may do. Other capabilities cannot be changed: register another agent instead.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: AgentChange,
  response: Agent,
  failures: [
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'agent_not_found',
    'agent_status_conflict',
    'agent_not_connected',
  ],
  attempt: 'agent.updated',
  handle: (context, { body }) => updateAgent(context, body),
})
