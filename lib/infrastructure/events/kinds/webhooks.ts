import { z } from 'zod'
import { exampleId } from './examples'
import { type Kinds, message } from './kind'

const TestEventData = z
  .object({
    webhook_id: z.string().meta({ description: 'The endpoint.' }),
    message: z.string().meta({ description: 'A sentence for people.' }),
  })
  .meta({ id: 'TestEventData', description: 'What a test sends.' })

/** The message of a test. It has no event of its own: the log has `webhook.tested`. */
export const testMessage = message('You sent a test. Always sent, even if not ticked', TestEventData, {
  webhook_id: exampleId('WHK'),
  message: 'This is a test of your webhook endpoint. Nothing has happened.',
})

const EndpointChangedData = z
  .object({
    webhook_id: z.string().meta({ description: 'The endpoint.' }),
    change: z.enum(['deleted', 'changed', 'secret_changed']).meta({ description: 'What was done.' }),
  })
  .meta({
    id: 'EndpointChangedData',
    description:
      'What happened to the endpoint. After `deleted` and a new URL, this is the last message to this address.',
  })

/** The message to an endpoint that was changed or deleted. The log has the events of the change. */
export const changedMessage = message(
  'This endpoint was changed or deleted. Always sent, even if not ticked',
  EndpointChangedData,
  { webhook_id: exampleId('WHK'), change: 'deleted' },
)

export const webhookEvents = {
  'webhook.created': { label: 'Webhook added', did: 'added a webhook to {host}', tried: 'add a webhook' },
  'webhook.updated': {
    label: 'Webhook changed',
    did: 'changed the webhook to {host}',
    tried: 'change a webhook',
  },
  'webhook.deleted': { label: 'Webhook deleted', did: 'deleted a webhook', tried: 'delete a webhook' },
  'webhook.tested': {
    label: 'Webhook tested',
    did: 'tested a webhook: {delivered}',
    tried: 'test a webhook',
  },
  'webhook.rotated': {
    label: 'Webhook secret changed',
    did: 'gave a webhook a new secret',
    tried: 'give a webhook a new secret',
  },
  'webhook.redelivered': {
    label: 'Message sent again',
    did: 'had a webhook message sent again',
    tried: 'send a webhook message again',
  },
  'webhook.disabled': { label: 'Webhook switched off', did: 'switched off {webhooks}: {reason}' },
} satisfies Kinds
