import { z } from 'zod'
import { agentBody } from '@/lib/domain/agents/schema'
import { countDependents } from '@/lib/domain/revocation/deregister'
import { endpoint } from '@/lib/http/endpoint'

// What people want to know before they deregister an agent.
export const GET = endpoint({
  operationId: 'previewAgentDeregistration',
  summary: 'Preview what deregistering an agent ends',
  description:
    'Counts the pending pecks, the unspent grants and the SSO tokens of the agent, which end with it. All are 0 for an agent that is not yours.',
  auth: 'session',
  limit: 'authenticated',
  query: agentBody,
  response: z.object({
    agent_id: z.string(),
    pending_pecks: z.int(),
    active_grants: z.int(),
    sso_tokens: z.int(),
    rules: z.int(),
  }),
  handle: (context, { query }) => countDependents(context, query.agent_id),
})
