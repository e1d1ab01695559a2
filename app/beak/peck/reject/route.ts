import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { Peck, RejectionRequest } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'rejectPeck',
  summary: 'Reject a peck',
  description:
    'The asker can read the reason, and may not ask for the same action again for an hour, except after a rejection with `would_approve` or `unclear`. A rejection never needs a passkey. `passkey` signs it for the receipt. With `undo_seconds` the peck stays pending for that time.',
  remarks: [
    '`would_approve` says as data what you would approve: at least one of `max_amount`, `scope` (`limited` or `timed`) and `grant_expires_in`, each less than what was asked for. `max_amount` needs an amount in that currency in the params; otherwise the answer is 400. `would_approve` and `unclear` exclude each other. Both sides and webhooks see them, receipts do not. Such a rejection pauses nothing, and the request still counts in the budget `ask`.',
    'With `undo_seconds`, the peck is `pending` for everybody until `undo_until`, which only the target sees: there is no event, webhook, receipt or pause, and the inbox leaves the peck out. The service keeps the time: `decided_at` is `undo_until`, every read counts the rejection from then on, and event and webhooks follow within about a second. `undo_until` is always before `expires_at`. In the last second before `undo_until` the rejection is final, so a status never goes back: what would change the peck is 409.',
    'Before that, another rejection replaces it, an approval of the target takes its place, a block of the asker lets it take effect at once, and a withdrawal or the end of the agent or of an account cancels the peck. The end of the session that rejected, whatever ends the session, changes nothing.',
  ],
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
