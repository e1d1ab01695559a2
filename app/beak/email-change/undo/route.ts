import { z } from 'zod'
import { linkToken } from '@/lib/domain/identity/schema'
import { undoEmailChange } from '@/lib/domain/identity/undo-email-change'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoEmailChange',
  summary: 'Undo a change of your email address',
  description:
    '`token` is the token of the link that was mailed to the old address. It works once, for 7 days. The account gets the old address back. Every session and known device ends. Passkeys that were added since the change, or by the session that made it, are removed. Links that undo later changes become invalid.',
  auth: 'none',
  limit: 'signin',
  idempotencyKey: true,
  body: z.strictObject({ token: linkToken }),
  response: z.object({ success: z.literal(true) }),
  failures: ['link_invalid'],
  handle: (context, { body }) => undoEmailChange(context, body.token),
})
