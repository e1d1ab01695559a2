import { RevokeAll, RevokedPermissions, revokeAll } from '@/lib/domain/pecks/grant/revoke'
import { endpoint } from '@/lib/http/endpoint'

// One call for all permissions of an asker, for people who no longer trust an agent.
export const POST = endpoint({
  operationId: 'revokeAllGrants',
  summary: 'Revoke all permissions that you gave to one asker',
  description:
    'Revokes the active permissions of an agent, or those that a person asked for without an agent. `items` says how often each had been used. One call revokes at most 1,000. With `has_more`, call it again.',
  remarks: [
    'All are revoked in one transaction, and both logs get an event for each. A use at the same time is counted in `uses`, or it fails. For an unknown asker, `items` is empty.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RevokeAll,
  response: RevokedPermissions,
  attempt: 'peck.revoked',
  handle: (context, { body }) => revokeAll(context, body.asker),
})
