import { m } from '@/lib/kernel/messages'
import { AgentEndedData, AgentEventData, exampleAgent, KeyRotatedData } from './agent-data'
import { exampleId } from './examples'
import { type Kinds, message } from './kind'

export const agentEvents = {
  'agent.registered': {
    label: m.events_agent_registered_label,
    did: m.events_agent_registered_did,
    tried: m.events_agent_registered_tried,
    webhook: message(m.events_agent_registered_when, AgentEventData, {
      ...exampleAgent,
      status: 'registered',
    }),
  },
  'agent.updated': {
    label: m.events_agent_updated_label,
    did: m.events_agent_updated_did,
    tried: m.events_agent_updated_tried,
  },
  'agent.bonded': {
    label: m.events_agent_bonded_label,
    did: m.events_agent_bonded_did,
    tried: m.events_agent_bonded_tried,
    webhook: message(m.events_agent_bonded_when, AgentEventData, exampleAgent),
  },
  'agent.suspended': {
    label: m.events_agent_suspended_label,
    did: m.events_agent_suspended_did,
    tried: m.events_agent_suspended_tried,
    webhook: message(m.events_agent_suspended_when, AgentEventData, { ...exampleAgent, status: 'suspended' }),
  },
  'agent.resumed': {
    label: m.events_agent_resumed_label,
    did: m.events_agent_resumed_did,
    tried: m.events_agent_resumed_tried,
  },
  'agent.deregistered': {
    label: m.events_agent_deregistered_label,
    did: m.events_agent_deregistered_did,
    tried: m.events_agent_deregistered_tried,
    webhook: message(m.events_agent_deregistered_when, AgentEndedData, {
      ...exampleAgent,
      status: 'deregistered',
      cancelled_pecks: [exampleId('PECK')],
      revoked_grants: [],
    }),
  },
  'agent.handshake_made': {
    label: m.events_agent_handshake_made_label,
    did: m.events_agent_handshake_made_did,
    tried: m.events_agent_handshake_made_tried,
  },
  'agent.token_issued': {
    label: m.events_agent_token_issued_label,
    did: m.events_agent_token_issued_did,
    tried: m.events_agent_token_issued_tried,
  },
  'key.rotated': {
    label: m.events_key_rotated_label,
    did: m.events_key_rotated_did,
    tried: m.events_key_rotated_tried,
    webhook: message(m.events_key_rotated_when, KeyRotatedData, {
      agent_id: exampleAgent.agent_id,
      key_id: exampleId('KEY'),
      retired_key_id: 'KEY-01JDV7R4S5T6V7W8X9Y0Z1A2B3',
      expires_at: new Date('2027-02-19T10:00:00.000Z'),
    }),
  },
  'key.retired': {
    label: m.events_key_retired_label,
    whole: m.events_key_retired_whole,
  },
  'key.refused': { label: m.events_key_refused_label, whole: m.events_key_refused_whole },
} satisfies Kinds
