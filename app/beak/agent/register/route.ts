import { z } from 'zod'
import { registerAgent } from '@/lib/domain/agents/credentials'
import { agentName, agentType, capabilities, RegisteredAgent } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'registerAgent',
  summary: 'Register an agent',
  description:
    'Registers an agent of yours. You can have 25 live agents. `beak_key` and `handshake_token` are shown only once: give both to the agent, which bonds with POST /beak/agent/bond within an hour. It needs a recent proof of you. A session of the device flow only prepares the agent: its status is `suspended`, and it can bond after you have resumed it on its page. `agent_type` is free text. A name must not contain a reserved word such as beak, support or official, or a word that looks like one.',
  remarks: [
    'An agent has 1 to 32 capabilities of the form verb:object. Without `allow_query_key`, the key is accepted as `?beak_key=` too, because the specification lets every key travel so.',
    'With `asks_others: false`, the agent may ask only you.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    agent_name: agentName,
    agent_type: agentType,
    capabilities,
    // Switches keys in the query string off from the start (contract A, Beak key); also at /beak/agent/update.
    allow_query_key: z.boolean().default(true),
    asks_others: z.boolean().default(true),
  }),
  response: RegisteredAgent,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'too_many_agents'],
  attempt: 'agent.registered',
  handle: (context, { body }) =>
    registerAgent(context, {
      name: body.agent_name,
      type: body.agent_type,
      capabilities: body.capabilities,
      allowQueryKey: body.allow_query_key,
      asksOthers: body.asks_others,
    }),
})
