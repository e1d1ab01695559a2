import { rejectPeck } from '@/lib/domain/pecks/decide/reject'
import { Peck, RejectionRequest } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rejectPeck',
  summary: 'Reject a peck',
  description:
    'The asker can read the reason, and may not ask for the same action again for an hour, except after a rejection with `would_approve` or `unclear`. A rejection never needs a passkey. `passkey` signs it for the receipt. With `undo_seconds` the peck stays pending for that time.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RejectionRequest,
  response: Peck,
  failures: [
    'peck_not_found',
    'not_the_target',
    'peck_not_pending',
    'passkey_assertion_invalid',
    'invalid_request',
  ],
  attempt: 'peck.rejected',
  handle: (context, { body: { peck_id, reason, passkey, undo_seconds, would_approve, unclear } }) =>
    rejectPeck(context, peck_id, reason, {
      passkey,
      undoSeconds: undo_seconds,
      wouldApprove: would_approve,
      isUnclear: unclear === true,
    }),
})
