import { AgentBudget, AgentBudgetRequest, setAgentBudget } from '@/lib/domain/pecks/rules/agent-budget'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'setAgentBudget',
  summary: 'Set the budget of an agent over all your rules',
  description:
    'All rules together then allow the agent at most that. A budget that allows more than before needs a passkey that confirmed the session just before.',
  remarks: ['Without a budget before, every budget allows less.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: AgentBudgetRequest,
  response: AgentBudget,
  failures: ['agent_not_registered', 'fresh_passkey_needed'],
  attempt: 'rule.updated',
  handle: (context, { body }) => setAgentBudget(context, body),
})
