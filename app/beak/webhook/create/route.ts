import { z } from 'zod'
import { createWebhook } from '@/lib/domain/webhooks/create'
import { description, kindList, WebhookWithSecret, webhookUrl } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'createWebhook',
  summary: 'Create a webhook endpoint',
  description:
    'Deliveries follow Standard Webhooks. Only this answer contains the `secret`. It needs a recent proof of you. A session of the device flow only prepares the endpoint: it is switched off until you enable it. Without `kinds`, or with an empty list, the endpoint receives every kind of event.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    url: webhookUrl,
    kinds: kindList.default([]),
    description: description.default(null),
  }),
  response: WebhookWithSecret,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'too_many_webhooks'],
  attempt: 'webhook.created',
  handle: (context, { body }) => createWebhook(context, body),
})
