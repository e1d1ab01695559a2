import { m } from '@/lib/kernel/messages'
import type { Kinds } from './kind'

export const ssoEvents = {
  'sso.issued': {
    label: m.events_sso_issued_label,
    did: m.events_sso_issued_did,
    tried: m.events_sso_issued_tried,
  },
  'sso.bridged': {
    label: m.events_sso_bridged_label,
    did: m.events_sso_bridged_did,
    tried: m.events_sso_bridged_tried,
  },
} satisfies Kinds
