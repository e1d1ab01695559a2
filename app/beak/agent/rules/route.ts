import { z } from 'zod'
import { AgentRules, listAgentRules } from '@/lib/domain/pecks/rules/read'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'listAgentRules',
  summary: 'List the rules that apply to the agent',
  description:
    'With what is left of each, so that the agent can plan. Rules of its operator are always among them, those of others once they have answered the agent. At most 100.',
  auth: 'bonded-key',
  limit: 'authenticated',
  headers: { 'X-Beak-Key': "The agent's beak key" },
  query: z.strictObject({}),
  response: AgentRules,
  handle: (context) => listAgentRules(context),
})
