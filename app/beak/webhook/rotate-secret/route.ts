import { z } from 'zod'
import { WebhookWithSecret, webhookId } from '@/lib/domain/webhooks/schema'
import { rotateWebhookSecret } from '@/lib/domain/webhooks/update'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Only this answer contains the new `secret`. For 24 hours every delivery has two signatures, one of the new secret and one of the old.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ webhook_id: webhookId }),
  response: WebhookWithSecret,
  failures: ['webhook_not_found'],
  attempt: 'webhook.rotated',
  handle: (context, { body }) => rotateWebhookSecret(context, body.webhook_id),
})
