import { AgentEndedData, AgentEventData, exampleAgent, KeyRotatedData } from './agent-data'
import { exampleId } from './examples'
import { type Kinds, message } from './kind'

export const agentEvents = {
  'agent.registered': {
    label: 'Agent registered',
    did: 'registered the agent {agent}',
    tried: 'register an agent',
    webhook: message('You registered an agent', AgentEventData, { ...exampleAgent, status: 'registered' }),
  },
  'agent.updated': { label: 'Agent changed', did: 'changed the agent {agent}', tried: 'change an agent' },
  'agent.bonded': {
    label: 'Agent bonded',
    did: 'bonded with its beak key',
    tried: 'bond',
    webhook: message('An agent of yours bonded', AgentEventData, exampleAgent),
  },
  'agent.suspended': {
    label: 'Agent suspended',
    did: 'suspended {agent}',
    tried: 'suspend an agent',
    webhook: message('You suspended an agent', AgentEventData, { ...exampleAgent, status: 'suspended' }),
  },
  'agent.resumed': { label: 'Agent resumed', did: 'resumed {agent}', tried: 'resume an agent' },
  'agent.deregistered': {
    label: 'Agent deregistered',
    did: 'deregistered {agent}',
    tried: 'deregister an agent',
    webhook: message('An agent of yours ended', AgentEndedData, {
      ...exampleAgent,
      status: 'deregistered',
      cancelled_pecks: [exampleId('PECK')],
      revoked_grants: [],
    }),
  },
  'agent.handshake_made': {
    label: 'Handshake made',
    did: 'made a new handshake for {agent}',
    tried: 'make a handshake for an agent',
  },
  'agent.token_issued': {
    label: 'Agent token issued',
    did: 'took a token for {audience}',
    tried: 'take a token',
  },
  'key.rotated': {
    label: 'Beak key rotated',
    did: 'gave {agent} a new beak key',
    tried: 'give an agent a new beak key',
    webhook: message('An agent got a new key', KeyRotatedData, {
      agent_id: exampleAgent.agent_id,
      key_id: exampleId('KEY'),
      retired_key_id: 'KEY-01JDV7R4S5T6V7W8X9Y0Z1A2B3',
      expires_at: new Date('2027-02-19T10:00:00.000Z'),
    }),
  },
  'key.retired': {
    label: 'Beak key retired',
    whole: 'The host restored the service, and the old beak key of {agent} was retired again',
  },
  'key.refused': { label: 'Beak key refused', whole: 'A beak key of {agent} was tried{times}: {cause}' },
} satisfies Kinds
