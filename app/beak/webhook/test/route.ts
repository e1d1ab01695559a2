import { z } from 'zod'
import { testWebhook } from '@/lib/domain/webhooks/claim-slot'
import { presentTest, TestResult, webhookId } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'testWebhook',
  summary: 'Send a webhook.test message to an endpoint',
  description:
    'Waits for the answer, at most 15 seconds, and returns it. The message is signed and recorded like any other, and a 410 disables the endpoint. There is no retry.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ webhook_id: webhookId }),
  response: TestResult,
  failures: ['webhook_not_found', 'webhook_disabled', 'webhook_busy'],
  attempt: 'webhook.tested',
  handle: async (context, { body }) => presentTest(await testWebhook(context, body.webhook_id)),
})
