import { z } from 'zod'
import { revokeOtherSessions, revokeSession } from '@/lib/domain/sessions/revoke'
import { endpoint } from '@/lib/http/endpoint'
import { always } from '@/lib/kernel/fields'
import { idSchema } from '@/lib/kernel/ids'

export const POST = endpoint({
  operationId: 'revokeSession',
  summary: 'End one session, or all other sessions',
  description:
    'A session that signed in with a passkey is ended only with a recent proof of you. A session of the device flow needs the proof to end any other.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z
    .strictObject({ session_id: idSchema('session').optional(), all_others: z.literal(true).optional() })
    .refine((body) => (body.session_id === undefined) !== (body.all_others === undefined), {
      path: ['session_id'],
      message: 'send either session_id or all_others',
      when: always,
    }),
  response: z.object({ success: z.literal(true), revoked: z.int() }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'session_not_found'],
  attempt: 'session.revoked',
  handle: (context, { body }) =>
    body.session_id === undefined ? revokeOtherSessions(context) : revokeSession(context, body.session_id),
})
