import { z } from 'zod'
import { listDeliveries } from '@/lib/domain/webhooks/deliveries'
import { Delivery, deliveryStatus, webhookId } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listDeliveries',
  summary: 'List the deliveries to your webhook endpoints',
  description:
    'Deliveries are kept for 30 days. Each attempt shows the first 1 KiB of the answer and none of its headers.',
  remarks: [
    'A delivery has `data`, so a program that cannot be reached can follow the deliveries of an endpoint.',
  ],
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({
    webhook_id: webhookId.optional(),
    status: deliveryStatus.optional(),
    ...pageQuery(),
  }),
  response: listOf(Delivery),
  failures: ['webhook_not_found'],
  handle: (context, { query }) =>
    listDeliveries(context, { webhookId: query.webhook_id, status: query.status }, pageRequest(query)),
})
