import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'
import { listWebhooks } from '@/lib/webhooks/list'
import { Webhook } from '@/lib/webhooks/schema'

export const GET = endpoint({
  summary: 'Your webhook endpoints',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject(pageQuery()),
  response: listOf(Webhook),
  handle: (context, { query }) => listWebhooks(context, pageRequest(query)),
})
