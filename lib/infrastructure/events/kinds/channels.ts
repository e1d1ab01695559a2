import { m } from '@/lib/kernel/messages'
import type { Kinds } from './kind'

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
