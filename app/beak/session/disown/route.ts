import { z } from 'zod'
import { disownSession } from '@/lib/domain/identity/disown-session'
import { linkToken } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'disownSession',
  summary: 'End the session of an alarm',
  description:
    '`token` is the token of the link "This wasn\'t me" in a mail about a sign-in or a change. It ends the session that the mail names, and nothing else. It works once, while that session lasts. It never ends a session that a passkey authenticated: then the answer is 403 with the reason `session_by_passkey`. A removal of passkeys that is pending, or starts in the next day, takes 48 hours.',
  auth: 'none',
  limit: 'signin',
  idempotencyKey: true,
  body: z.strictObject({ token: linkToken }),
  response: z.object({ success: z.literal(true) }),
  failures: ['link_invalid', 'session_by_passkey'],
  attempt: 'session.revoked',
  handle: (context, { body }) => disownSession(context, body.token),
})
