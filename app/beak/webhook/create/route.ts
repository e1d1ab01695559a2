import { z } from 'zod'
import { description, kindList, WebhookWithSecret, webhookUrl } from '@/lib/domain/webhooks/schema'
import { createWebhook } from '@/lib/domain/webhooks/update'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'createWebhook',
  summary: 'Create a webhook endpoint',
  description:
    'Deliveries follow Standard Webhooks. Only this answer contains the `secret`. It needs a recent proof of you. A session of the device flow only prepares the endpoint: it is switched off until you enable it. Without `kinds`, or with an empty list, the endpoint receives every kind of event.',
  remarks: [
    'An account has at most 20 endpoints. A URL must be https without user name, password and fragment, on port 443 or 8443, and must not lead to a private, loopback, link-local or otherwise special address. It is checked when the endpoint is created or changed, and the address that is connected to at each delivery. `WEBHOOK_ALLOW_PRIVATE=true` allows private addresses, plain http and every port, for development only; link-local and unspecified addresses and the metadata addresses of cloud hosts stay refused.',
    'An answer of 2xx within 15 seconds is a success, and a redirect is a failure. After a timeout the endpoint pauses, 30 seconds at first and at most an hour. A 410, 120 hours of failures, or the undo of a change of address disables it; `disabled_reason` says which. `webhook.changed` and `webhook.test` are sent whatever kinds an endpoint has. Each kind has a schema of `data`: what the schema does not have is not sent.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    url: webhookUrl,
    kinds: kindList.default([]),
    description: description.default(null),
  }),
  response: WebhookWithSecret,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'too_many_webhooks'],
  attempt: 'webhook.created',
  handle: (context, { body }) => createWebhook(context, body),
})
