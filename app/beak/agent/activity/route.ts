import { z } from 'zod'
import { AgentActivity, listAgentActivity } from '@/lib/domain/pecks/follow/agent-activity'
import { endpoint } from '@/lib/http/endpoint'

// Spec silent: an overview of all agents at once. A person has at most 25 live agents, so it has no pages.
export const GET = endpoint({
  operationId: 'listAgentActivity',
  summary: 'See what your agents are doing',
  description:
    'Your agents that are not deregistered, those that wait for your answer first. `peck` is the newest request of the agent that waits for you, else the newest one that waits for somebody else, else the one of its 20 newest that changed last.',
  auth: 'session',
  limit: 'authenticated',
  response: z.object({ items: z.array(AgentActivity) }),
  handle: async (context) => ({ items: await listAgentActivity(context) }),
})
