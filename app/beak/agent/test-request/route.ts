import { agentBody } from '@/lib/domain/agents/schema'
import { sendTestRequest } from '@/lib/domain/pecks/request/test-request'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'sendTestRequest',
  summary: 'Have a test request sent to you',
  description:
    'Beak sends you a request in the name of one of your bonded agents, so that you see how its requests arrive. The action is `test:request`, which no agent can ask for. The risk is low, and an approval permits nothing: there is no grant token. One test request of an agent waits at a time. While one does, the answer is that peck, with `repeated`. It expires after an hour.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: agentBody,
  response: Peck,
  failures: [
    'agent_not_found',
    'agent_status_conflict',
    'tier_too_low',
    'target_tier_too_low',
    'too_many_pending_pecks',
  ],
  attempt: 'peck.sent',
  handle: (context, { body }) => sendTestRequest(context, body.agent_id),
})
