import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { pushKey } from '@/lib/infrastructure/keys/push-key'

export const GET = endpoint({
  operationId: 'getPushKey',
  summary: 'Get the key for push messages',
  description:
    'Returns the public key with which browsers subscribe to push messages of this service (VAPID, RFC 8292): the value for `applicationServerKey`. It never changes.',
  remarks: [
    'The key is made at the first start, and is the same on all instances and after a restore. Messages are encrypted for the browser (RFC 8291, aes128gcm). The push service of the browser learns when a message is sent and how long it is, and cannot read it.',
    'A message is JSON of at most 3993 bytes: `{web_push: 8030, notification: {title, body, navigate, tag, app_badge}}`, the form of Declarative Web Push, or `{withdraw: <tag>, app_badge}`, which takes a notification away. Apple’s push service gets no withdrawals, because Safari ends a subscription whose messages show nothing.',
    '`/sw.js` shows the messages. A notification with the `tag` of an earlier one replaces it and rings again. A tap opens `navigate` if it is below the address of the service, and `/pecks` otherwise. When the browser replaces a subscription, the worker sends the new one to the pages, which add it if the session may.',
  ],
  auth: 'none',
  limit: 'anonymous',
  response: z.object({
    public_key: z.string().meta({ description: 'An uncompressed point on P-256, 65 bytes as base64url.' }),
  }),
  handle: () => ({ public_key: pushKey().publicKey }),
})
