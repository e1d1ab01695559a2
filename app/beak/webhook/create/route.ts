import { z } from 'zod'
import { createWebhook } from '@/lib/domain/webhooks/create'
import { description, kindList, WebhookWithSecret, webhookUrl } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Make a webhook endpoint',
  description:
    'Deliveries follow Standard Webhooks. `secret` is shown in this answer only. Without `kinds`, or with an empty list, the endpoint gets every kind.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({
    url: webhookUrl,
    kinds: kindList.default([]),
    description: description.default(null),
  }),
  response: WebhookWithSecret,
  failures: ['webhooks_too_many'],
  attempt: 'webhook.created',
  handle: (context, { body }) => createWebhook(context, body),
})
