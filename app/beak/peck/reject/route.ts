import { rejectPeck } from '@/lib/domain/pecks/decide/reject'
import { Peck, RejectionRequest } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rejectPeck',
  summary: 'Reject a peck',
  description:
    'The asker can read the reason, and may not ask for the same action again for an hour. A rejection never needs a passkey. `passkey` signs it for the receipt.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RejectionRequest,
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'peck_not_pending', 'passkey_assertion_invalid'],
  attempt: 'peck.rejected',
  handle: (context, { body }) => rejectPeck(context, body.peck_id, body.reason, body.passkey),
})
