import { z } from 'zod'
import { registerAgent } from '@/lib/domain/agents/register'
import { agentName, agentType, capabilities, RegisteredAgent } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Register an agent',
  description:
    'Registers an agent under you, at most 25 live ones. `beak_key` and `handshake_token` are shown this once: give both to the agent, which bonds with POST /beak/agent/bond within the hour. `agent_type` is a label of your own. A name may not contain a reserved word such as beak, support or official, or look like one.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({
    agent_name: agentName,
    agent_type: agentType,
    capabilities,
    // Spec silent: how the owner switches keys in the query string off for an agent; also at /beak/agent/update.
    allow_query_key: z.boolean().default(true),
  }),
  response: RegisteredAgent,
  failures: ['agents_too_many'],
  attempt: 'agent.registered',
  handle: (context, { body }) =>
    registerAgent(context, {
      name: body.agent_name,
      type: body.agent_type,
      capabilities: body.capabilities,
      allowQueryKey: body.allow_query_key,
    }),
})
