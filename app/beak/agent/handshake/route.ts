import { z } from 'zod'
import { renewHandshake } from '@/lib/domain/agents/credentials'
import { agentBody } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'createHandshake',
  summary: 'Make a new handshake token',
  description:
    'For an agent that has not bonded yet. The old token stops working, and the new one is shown only once. When another session registered the agent, this needs a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: agentBody,
  response: z.object({ agent_id: z.string(), handshake_token: z.string(), handshake_expires_at: instant }),
  failures: [
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'agent_not_found',
    'agent_status_conflict',
    'agent_connected',
  ],
  attempt: 'agent.handshake_made',
  handle: (context, { body }) => renewHandshake(context, body.agent_id),
})
