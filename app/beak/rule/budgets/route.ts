import { z } from 'zod'
import { AgentBudget, listAgentBudgets } from '@/lib/domain/pecks/rules/agent-budget'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'listAgentBudgets',
  summary: 'List the budgets of agents over all your rules',
  description: 'Only of agents that have one.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({}),
  response: z.object({ items: z.array(AgentBudget) }),
  handle: (context) => listAgentBudgets(context),
})
