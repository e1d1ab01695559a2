import { SnoozeRequest, snoozePeck } from '@/lib/domain/pecks/decide/decline'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'snoozePeck',
  summary: 'Answer a peck later',
  description:
    'Takes a waiting peck out of your inbox and its counts until a time. The asker sees it as pending and learns nothing. A second call replaces the time, and `until: null` brings the peck back at once.',
  remarks: [
    'Only you see `snoozed_until` and the event `peck.snoozed`. Mails about the peck wait until it is back. Your open streams get it as a `peck` event then. Approving and rejecting work meanwhile.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: SnoozeRequest,
  response: Peck,
  failures: ['peck_not_found', 'not_the_target', 'peck_not_pending', 'invalid_request'],
  attempt: 'peck.snoozed',
  handle: (context, { body }) => snoozePeck(context, body),
})
