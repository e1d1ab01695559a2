import { z } from 'zod'
import { AgentActivity, listAgentActivity } from '@/lib/domain/pecks/lists/agent-activity'
import { endpoint } from '@/lib/http/endpoint'

// An overview of all agents at once. A person has at most 25 live agents, so it has no pages.
export const GET = endpoint({
  operationId: 'listAgentActivity',
  summary: 'See what your agents are doing',
  description:
    'Your agents without deregistered ones. Agents that wait for your answer come first. `peck` is the newest request of the agent that waits for you. Without such a request, it is the newest one that waits for somebody else. Without any waiting request, it is the one that changed last among the 20 newest.',
  remarks: ['`waiting` and `waiting_for_you` count among your 500 newest waiting requests.'],
  auth: 'session',
  limit: 'authenticated',
  response: z.object({ items: z.array(AgentActivity) }),
  handle: async (context) => ({ items: await listAgentActivity(context) }),
})
