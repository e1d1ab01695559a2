import { z } from 'zod'
import { AgentCheck, agentId } from '@/lib/domain/agents/schema'
import { verifyAgent } from '@/lib/domain/agents/verify'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'verifyAgent',
  summary: 'Check an agent',
  description: 'Returns whether the agent exists and is bonded, and who its operator is. Anybody can ask.',
  remarks: ['`valid` is true for a bonded agent of an open account. The id of the operator is masked.'],
  auth: 'none',
  limit: 'anonymous',
  query: z.strictObject({ agent_id: agentId }),
  response: AgentCheck,
  failures: ['agent_not_registered'],
  handle: (context, { query }) => verifyAgent(context, query.agent_id),
})
