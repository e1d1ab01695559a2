import { z } from 'zod'
import { streamPecks } from '@/lib/domain/pecks/follow/stream'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'streamPecks',
  summary: 'Follow your pecks as they change',
  description:
    'Server-sent events: `ready` first, then a `peck` for each change of a peck you sent or received, with its `peck_id` as the event id and the peck as you see it as data. After an end it has the `cause` that webhooks have. A `passkey_recovery` with `status` (`pending`, `cancelled` or `done`) and `removes_at` reports a removal of all your passkeys. A `peck_block` with `duckling_id` and `blocked` reports that you blocked or unblocked somebody: their waiting pecks have gone, or `peck` events bring them back. An `account_change` with `change` (such as `webhook.deleted`) and `at` reports that one of your sessions changed what protects or speaks for your account. Comments keep the connection open. The stream ends with the session. An account and its agents together may have 20 streams and long polls open.',
  auth: 'session',
  limit: 'authenticated',
  response: z.custom<ReadableStream<Uint8Array>>(),
  media: 'text/event-stream',
  failures: ['too_many_open_connections'],
  // Tells proxies not to buffer the events.
  responseHeaders: { 'X-Accel-Buffering': 'no' },
  handle: (context, { signal }) => streamPecks(context, signal),
})
