import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'
import { listDeliveries } from '@/lib/webhooks/deliveries'
import { Delivery, deliveryStatus, webhookId } from '@/lib/webhooks/schema'

export const GET = endpoint({
  summary: 'What was sent to your webhook endpoints, and what they answered',
  description: 'Kept for 30 days. Of every answer the first 1 KiB is shown, and none of its headers.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({
    webhook_id: webhookId.optional(),
    status: deliveryStatus.optional(),
    ...pageQuery(),
  }),
  response: listOf(Delivery),
  failures: ['webhook_missing'],
  handle: (context, { query }) =>
    listDeliveries(context, { webhookId: query.webhook_id, status: query.status }, pageRequest(query)),
})
