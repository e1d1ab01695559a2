import { z } from 'zod'
import { description, kindList, Webhook, webhookId, webhookUrl } from '@/lib/domain/webhooks/schema'
import { updateWebhook } from '@/lib/domain/webhooks/update'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateWebhook',
  summary: 'Change, disable or enable a webhook endpoint',
  description:
    'Properties that are not given do not change. Disabling an endpoint ends its pending deliveries as failed. You can send each again with POST /beak/webhook/redeliver. Each change needs a recent proof of you.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    webhook_id: webhookId,
    url: webhookUrl.optional(),
    kinds: kindList.optional(),
    description: description.optional(),
    enabled: z.boolean().optional(),
  }),
  response: Webhook,
  failures: ['webhook_not_found', 'fresh_sign_in_needed', 'fresh_passkey_needed'],
  attempt: 'webhook.updated',
  handle: (context, { body: { webhook_id, ...change } }) => updateWebhook(context, webhook_id, change),
})
