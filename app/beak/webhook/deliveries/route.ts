import { z } from 'zod'
import { listDeliveries } from '@/lib/domain/webhooks/deliveries'
import { Delivery, deliveryStatus, webhookId } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'

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
