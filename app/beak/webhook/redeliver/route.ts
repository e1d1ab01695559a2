import { redeliverWebhook } from '@/lib/domain/webhooks/redeliver'
import { Delivery, deliveryName } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Send a message again',
  description:
    'Name the delivery by `delivery_id` or by `message_id`, with `webhook_id` where the message went to several endpoints. It keeps its `webhook-id` and gets all its attempts anew; one that was still waiting is sent at once instead.',
  auth: 'session',
  limit: 'authenticated',
  body: deliveryName,
  response: Delivery,
  failures: ['webhook_missing', 'webhook_disabled'],
  attempt: 'webhook.redelivered',
  handle: (context, { body }) => redeliverWebhook(context, body),
})
