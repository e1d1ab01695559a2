import { z } from 'zod'
import { keyLifetimeDays } from '@/lib/domain/agents/make-key'
import { rotateKey } from '@/lib/domain/agents/rotate-key'
import { agentId } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/fields'

export const POST = endpoint({
  operationId: 'rotateKey',
  summary: 'Rotate a beak key',
  description:
    'Creates a new key for one of your agents, shown only once. The old key stops working immediately. An agent that has not bonded yet also gets a new handshake token. Needs a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    agent_id: agentId,
    expires_in_days: z.int().min(1).max(365).default(keyLifetimeDays),
  }),
  response: z.object({
    agent_id: z.string(),
    key_id: z.string(),
    beak_key: z.string(),
    expires_at: instant,
    handshake_token: z.string().optional(),
    handshake_expires_at: instant.optional(),
  }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'agent_not_found', 'agent_status_conflict'],
  attempt: 'key.rotated',
  handle: (context, { body }) => rotateKey(context, body.agent_id, body.expires_in_days),
})
