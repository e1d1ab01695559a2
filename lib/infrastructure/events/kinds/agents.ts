/** What webhooks tell about agents and their keys. */

import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { instant } from '@/lib/kernel/request/fields'
import { exampleId, type Kinds, message } from './kind'

export const agentStatus = z.enum(['registered', 'bonded', 'suspended', 'deregistered'])

export const AgentEventData = z
  .object({
    agent_id: z.string().meta({ description: 'Names the agent in all calls.' }),
    agent_name: z.string().meta({ description: 'The name that people see.' }),
    agent_type: z.string().meta({ description: 'What the agent is, in a word of its operator.' }),
    capabilities: z.array(z.string()).meta({ description: 'As verb:object.' }),
    status: agentStatus.meta({ description: 'Only a bonded agent can act.' }),
  })
  .meta({ id: 'AgentEventData', description: 'An agent of yours.' })

const AgentEndedData = AgentEventData.extend({
  cancelled_pecks: z.array(z.string()).meta({ description: 'Ids of pecks.' }),
  revoked_grants: z.array(z.string()).meta({ description: 'Ids of pecks.' }),
}).meta({ id: 'AgentEndedData', description: 'An agent that ended, and what ended with it.' })

const KeyRotatedData = z
  .object({
    agent_id: z.string().meta({ description: 'The agent whose key was changed.' }),
    key_id: z.string().meta({ description: 'The id of the new key, which is not the key itself.' }),
    retired_key_id: z.string().nullable().meta({ description: 'Null when the agent had no key.' }),
    expires_at: instant.meta({ description: 'When the new key expires.' }),
  })
  .meta({ id: 'KeyRotatedData', description: 'A new key of an agent.' })

const exampleAgent = {
  agent_id: exampleId('AGT'),
  agent_name: 'Scout',
  agent_type: 'assistant',
  capabilities: ['request:peck', 'read:peck'],
  status: 'bonded',
} satisfies z.input<typeof AgentEventData>

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
  'agent.connected': {
    label: m.events_agent_connected_label,
    did: m.events_agent_connected_did,
    tried: m.events_agent_connected_tried,
  },
  'agent.connection_refused': {
    label: m.events_agent_connection_refused_label,
    did: m.events_agent_connection_refused_did,
    tried: m.events_agent_connection_refused_tried,
  },
  'agent.disconnected': {
    label: m.events_agent_disconnected_label,
    did: m.events_agent_disconnected_did,
  },
  'agent.guarded': {
    label: m.events_agent_guarded_label,
    whole: m.events_agent_guarded_whole,
    tried: m.events_agent_guarded_tried,
  },
  'agent.unguarded': { label: m.events_agent_unguarded_label, whole: m.events_agent_unguarded_whole },
  'agent.alarm_dismissed': {
    label: m.events_agent_alarm_dismissed_label,
    did: m.events_agent_alarm_dismissed_did,
  },
  'agent.alarms_off': {
    label: m.events_agent_alarms_off_label,
    did: m.events_agent_alarms_off_did,
    tried: m.events_agent_alarms_off_tried,
  },
  'agent.alarms_on': { label: m.events_agent_alarms_on_label, did: m.events_agent_alarms_on_did },
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
