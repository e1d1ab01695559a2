import { z } from 'zod'
import { revoke } from '@/lib/domain/sessions/revoke'
import { RevokedThing } from '@/lib/domain/sessions/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'revokeSession',
  summary: 'End one session, all other sessions, or the approval of a device',
  description:
    '`device_request_id` takes back the approval of a device that has not signed in yet. `all_others` takes back all of them. A session that signed in with a passkey is ended only with a recent proof of you. A session of the device flow needs the proof to end any other.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: RevokedThing,
  response: z.object({ success: z.literal(true), revoked: z.int() }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'session_not_found'],
  attempt: 'session.revoked',
  handle: (context, { body }) => revoke(context, body),
})
