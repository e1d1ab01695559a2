import { z } from 'zod'
import { agentId, agentStatus } from '@/lib/domain/agents/schema'
import { verifyAgent } from '@/lib/domain/agents/verify'
import { endpoint } from '@/lib/http/endpoint'
import { instant, tier } from '@/lib/kernel/fields'

export const GET = endpoint({
  summary: 'Check an agent',
  description: 'Returns whether the agent exists and is bonded, and who its operator is. Anybody can ask.',
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ agent_id: agentId }),
  response: z.object({
    agent_id: z.string(),
    valid: z.boolean(),
    status: agentStatus,
    agent_name: z.string(),
    agent_type: z.string(),
    capabilities: z.array(z.string()),
    bonded_at: instant.nullable(),
    operator: z.object({
      duckling_id: z.string(),
      display_name: z.string(),
      trust_tier: tier,
      certified: z.boolean(),
      cert_id: z.string().nullable(),
    }),
    checked_at: instant,
  }),
  failures: ['agent_unknown'],
  handle: (context, { query }) => verifyAgent(context, query.agent_id),
})
