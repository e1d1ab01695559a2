import { z } from 'zod'
import { rotateWebhookSecret } from '@/lib/domain/webhooks/rotate-secret'
import { WebhookWithSecret, webhookId } from '@/lib/domain/webhooks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Give a webhook endpoint a new secret',
  description:
    '`secret` is shown in this answer only. For 24 hours every delivery carries two signatures, of the new secret and of the old one.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ webhook_id: webhookId }),
  response: WebhookWithSecret,
  failures: ['webhook_missing'],
  attempt: 'webhook.rotated',
  handle: (context, { body }) => rotateWebhookSecret(context, body.webhook_id),
})
