import { z } from 'zod'
import { deleteWebhook } from '@/lib/domain/webhooks/delete'
import { webhookId } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook endpoint and its deliveries',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ webhook_id: webhookId }),
  response: z.object({ success: z.literal(true), webhook_id: z.string() }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'webhook_not_found'],
  attempt: 'webhook.deleted',
  handle: (context, { body }) => deleteWebhook(context, body.webhook_id),
})
