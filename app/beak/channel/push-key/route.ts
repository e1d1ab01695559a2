import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { pushKey } from '@/lib/infrastructure/keys/push-key'

export const GET = endpoint({
  operationId: 'getPushKey',
  summary: 'Get the key for push messages',
  description:
    'Returns the public key with which browsers subscribe to push messages of this service (VAPID, RFC 8292): the value for `applicationServerKey`. It never changes.',
  auth: 'none',
  limit: 'anonymous',
  response: z.object({
    public_key: z.string().meta({ description: 'An uncompressed point on P-256, 65 bytes as base64url.' }),
  }),
  handle: () => ({ public_key: pushKey().publicKey }),
})
