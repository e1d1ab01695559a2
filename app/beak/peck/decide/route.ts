import { DecisionOutcomes, Decisions, decideMany } from '@/lib/domain/pecks/decide/decide-many'
import { endpoint } from '@/lib/http/endpoint'

// One call for several decisions, so that a person can answer many requests at once.
export const POST = endpoint({
  operationId: 'decidePecks',
  summary: 'Approve or reject several pecks',
  description:
    'Decides up to 100 pecks, with an outcome for each. Pecks with a high risk, first contacts and pecks that need a passkey are not approved: approve each with `POST /beak/peck/approve`.',
  remarks: [
    'All are decided in one transaction. `reason` is needed to reject. Each peck is undone on its own. Each refused peck is a `denied` event in your log, with `peck_id` and `failure` in the metadata.',
  ],
  auth: 'session',
  limit: 'authenticated',
  cost: ({ body }) => body.peck_ids.length / 4,
  idempotencyKey: true,
  body: Decisions,
  response: DecisionOutcomes,
  // Single pecks have their own outcome. What is refused as a whole is almost always an approval.
  attempt: 'peck.approved',
  handle: (context, { body }) => decideMany(context, body),
})
