import { z } from 'zod'
import { bondAgent } from '@/lib/domain/agents/credentials'
import { Agent, agentId } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'bondAgent',
  summary: 'Bond an agent',
  description:
    'Called by the agent itself, with its key in `X-Beak-Key` (or as bearer token, never in the query string) and the handshake token from its operator.',
  remarks: [
    'Both secrets must belong to the agent, and the handshake works once. The key of another agent is 401 `E4001`, a bad handshake 401 `E4006`, a bonded agent 409.',
  ],
  auth: 'beak-key',
  limit: 'authenticated',
  idempotencyKey: true,
  headers: { 'X-Beak-Key': "The agent's beak key" },
  body: z.strictObject({ agent_id: agentId, handshake_token: z.string().min(1).max(200) }),
  response: Agent,
  failures: ['agent_not_found', 'agent_status_conflict', 'handshake_token_invalid'],
  attempt: 'agent.bonded',
  handle: (context, { body }) => bondAgent(context, body.agent_id, body.handshake_token),
})
