import { z } from 'zod'
import { cancelPeck } from '@/lib/domain/pecks/decide/decline'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'cancelPeck',
  summary: 'Cancel a pending request of yours or of one of your agents',
  description:
    'An agent cancels what it asked itself, also with a later key. Nobody has to answer the request any more. It still counts in the limits of a day. A request that was already decided is 409 with `current_status`: a permission is not given back, it ends by its time or when the target revokes it.',
  remarks: [
    'To other agents of the same owner the peck is 404. An agent that is suspended cancels nothing; its owner does.',
    'The clients, their guards and adapters withdraw a request of theirs when the wait is aborted or fails, and when a signal ends the process. They do not when another call of the process waits for the same request, or when the caller can come back to it: with `keep`, with an idempotency key of the caller, and when the wait of a guard, a hook, an MCP tool or `beak peck ask --timeout` is over.',
  ],
  auth: 'session-or-agent',
  capability: 'request:peck',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_asker', 'peck_not_pending'],
  attempt: 'peck.cancelled',
  handle: (context, { body }) => cancelPeck(context, body.peck_id),
})
