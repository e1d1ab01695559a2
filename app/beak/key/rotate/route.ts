import { z } from 'zod'
import { keyLifetimeDays, rotateKey } from '@/lib/domain/agents/credentials'
import { agentId, RotatedKey } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rotateKey',
  summary: 'Rotate a beak key',
  description:
    'Creates a new key for one of your agents, shown only once. The old key stops working immediately. An agent that has not bonded yet also gets a new handshake token. Needs a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  remarks: [
    '`expires_in_days` is 1 to 365. The old key is revoked in the same transaction. Uses of the old key are counted and shown to the owner. The page `/connect` makes a key with this call on the computer that needs the key, so no secret goes from one device to another. Commands that pages print never have a key.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    agent_id: agentId,
    expires_in_days: z.int().min(1).max(365).default(keyLifetimeDays),
  }),
  response: RotatedKey,
  failures: [
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'agent_not_found',
    'agent_status_conflict',
    'agent_connected',
  ],
  attempt: 'key.rotated',
  handle: (context, { body }) => rotateKey(context, body.agent_id, body.expires_in_days),
})
