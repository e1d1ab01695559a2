import { changeGuard } from '@/lib/domain/agents/guard'
import { GuardChange } from '@/lib/domain/agents/guard-schema'
import { Agent } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'changeGuard',
  summary: 'End an alarm about a coding agent',
  description:
    'Ends the alarm that an agent acts without asking, or switches such alarms off or on for the agent. Changes nothing for an agent that never sent a heartbeat.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: GuardChange,
  response: Agent,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'agent_not_found'],
  attempt: 'agent.alarms_off',
  handle: (context, { body }) => changeGuard(context, body),
})
