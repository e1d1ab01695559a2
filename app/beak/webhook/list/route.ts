import { z } from 'zod'
import { listWebhooks } from '@/lib/domain/webhooks/deliveries'
import { Webhook } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listWebhooks',
  summary: 'List your webhook endpoints',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Webhook),
  handle: (context, { query }) => listWebhooks(context, pageRequest(query)),
})
