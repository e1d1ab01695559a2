import { redeliverWebhook } from '@/lib/domain/webhooks/deliveries'
import { Delivery, deliveryName } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'redeliverMessage',
  summary: 'Redeliver a message',
  description:
    'Name the delivery by `delivery_id`, or by `message_id` and, when the message was sent to several endpoints, `webhook_id`. The message keeps its `webhook-id` and gets eight new attempts, the first immediately. They replace a retry that is still waiting.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: deliveryName,
  response: Delivery,
  failures: ['webhook_not_found', 'webhook_disabled'],
  attempt: 'webhook.redelivered',
  handle: (context, { body }) => redeliverWebhook(context, body),
})
