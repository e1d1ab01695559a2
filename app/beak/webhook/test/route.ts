import { z } from 'zod'
import { presentTest, TestResult, webhookId } from '@/lib/domain/webhooks/schema'
import { testWebhook } from '@/lib/domain/webhooks/send-test'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Send a webhook.test message to an endpoint now and see what it answers',
  description:
    'Waits for the answer, 15 seconds at most. The message goes the way of every delivery: signed alike, recorded alike, and a 410 disables the endpoint. It is not tried again.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ webhook_id: webhookId }),
  response: TestResult,
  failures: ['webhook_missing', 'webhook_disabled', 'webhook_busy'],
  attempt: 'webhook.tested',
  handle: async (context, { body }) => presentTest(await testWebhook(context, body.webhook_id)),
})
