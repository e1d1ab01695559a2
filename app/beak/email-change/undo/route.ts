import { z } from 'zod'
import { linkToken } from '@/lib/domain/identity/schema'
import { undoEmailChange } from '@/lib/domain/identity/undo-email-change'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Undo a change of your e-mail address',
  description:
    '`token` is the one in the link that was mailed to the old address; it works once, for 7 days. The account gets that address back, every session and known device ends, passkeys that were added since the change or by the session that made it are removed, and later changes of address can no longer be undone.',
  auth: 'none',
  limit: 'signin',
  body: z.strictObject({ token: linkToken }),
  response: z.object({ success: z.literal(true) }),
  failures: ['link_invalid'],
  handle: async (context, { body }) => {
    await undoEmailChange(context, body.token)
    return { success: true as const }
  },
})
