/** What webhooks tell about agents and their keys. */
import { z } from 'zod'
import { instant } from '@/lib/kernel/fields'
import { exampleId } from './examples'

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

export const AgentEndedData = AgentEventData.extend({
  cancelled_pecks: z.array(z.string()).meta({ description: 'Ids of pecks.' }),
  revoked_grants: z.array(z.string()).meta({ description: 'Ids of pecks.' }),
}).meta({ id: 'AgentEndedData', description: 'An agent that ended, and what ended with it.' })

export const KeyRotatedData = z
  .object({
    agent_id: z.string().meta({ description: 'The agent whose key was changed.' }),
    key_id: z.string().meta({ description: 'The id of the new key, which is not the key itself.' }),
    retired_key_id: z.string().nullable().meta({ description: 'Null when the agent had no key.' }),
    expires_at: instant.meta({ description: 'When the new key expires.' }),
  })
  .meta({ id: 'KeyRotatedData', description: 'A new key of an agent.' })

export const exampleAgent = {
  agent_id: exampleId('AGT'),
  agent_name: 'Scout',
  agent_type: 'assistant',
  capabilities: ['request:peck', 'read:peck'],
  status: 'bonded',
} satisfies z.input<typeof AgentEventData>
