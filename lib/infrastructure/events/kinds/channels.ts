import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { exampleId, type Kinds, message } from './kind'

export const channelEvents = {
  'channel.added': {
    label: m.events_channel_added_label,
    did: m.events_channel_added_did,
    tried: m.events_channel_added_tried,
  },
  'channel.updated': {
    label: m.events_channel_updated_label,
    did: m.events_channel_updated_did,
    tried: m.events_channel_updated_tried,
  },
  'channel.tested': {
    label: m.events_channel_tested_label,
    did: m.events_channel_tested_did,
    tried: m.events_channel_tested_tried,
  },
  'channel.removed': {
    label: m.events_channel_removed_label,
    did: m.events_channel_removed_did,
    tried: m.events_channel_removed_tried,
  },
  'channel.failing': { label: m.events_channel_failing_label, did: m.events_channel_failing_did },
  'channel.ended': { label: m.events_channel_ended_label, did: m.events_channel_ended_did },
} satisfies Kinds

const TestEventData = z
  .object({
    webhook_id: z.string().meta({ description: 'The endpoint.' }),
    message: z.string().meta({ description: 'A sentence for people.' }),
  })
  .meta({ id: 'TestEventData', description: 'What a test sends.' })

/** The message of a test. It has no event of its own: the log has `webhook.tested`. */
export const testMessage = message(m.events_webhook_test_when, TestEventData, {
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
export const changedMessage = message(m.events_webhook_changed_when, EndpointChangedData, {
  webhook_id: exampleId('WHK'),
  change: 'deleted',
})

export const webhookEvents = {
  'webhook.created': {
    label: m.events_webhook_created_label,
    did: m.events_webhook_created_did,
    tried: m.events_webhook_created_tried,
  },
  'webhook.updated': {
    label: m.events_webhook_updated_label,
    did: m.events_webhook_updated_did,
    tried: m.events_webhook_updated_tried,
  },
  'webhook.deleted': {
    label: m.events_webhook_deleted_label,
    did: m.events_webhook_deleted_did,
    tried: m.events_webhook_deleted_tried,
  },
  'webhook.tested': {
    label: m.events_webhook_tested_label,
    did: m.events_webhook_tested_did,
    tried: m.events_webhook_tested_tried,
  },
  'webhook.rotated': {
    label: m.events_webhook_rotated_label,
    did: m.events_webhook_rotated_did,
    tried: m.events_webhook_rotated_tried,
  },
  'webhook.redelivered': {
    label: m.events_webhook_redelivered_label,
    did: m.events_webhook_redelivered_did,
    tried: m.events_webhook_redelivered_tried,
  },
  'webhook.disabled': { label: m.events_webhook_disabled_label, did: m.events_webhook_disabled_did },
} satisfies Kinds
