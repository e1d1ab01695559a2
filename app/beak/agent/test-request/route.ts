import { agentBody } from '@/lib/domain/agents/schema'
import { sendTestRequest } from '@/lib/domain/pecks/request/request'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'sendTestRequest',
  summary: 'Have a test request sent to you',
  description:
    'Beak sends you a request in the name of one of your bonded agents, so that you see how its requests arrive. The action is `test:request`, which no agent can ask for. The risk is low, and an approval permits nothing: there is no grant token. One test request of an agent waits at a time. While one does, the answer is that peck, with `repeated`. It expires after an hour.',
  remarks: [
    'The action is the mark of the test in the signed statement, receipts, both logs, webhooks and lists. `grant_status` is `expired` at once after an approval. A test counts among the pecks that may wait for you, a rejection pauses nothing, and tests do not count in what you know of an asker. The event `peck.sent` names you as the actor.',
  ],
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
