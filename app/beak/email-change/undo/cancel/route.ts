import { z } from 'zod'
import { cancelUndo } from '@/lib/domain/identity/undo-email-change'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'cancelEmailUndo',
  summary: 'Cancel the undo of a change of your email address',
  description:
    'For owners who left a stolen mailbox. The undo waits for 24 hours when a passkey that the account had a day before the change confirmed it. Cancelling needs a proof with such a passkey in the last 10 minutes. The mailed link is used up.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({}),
  response: z.object({ success: z.literal(true) }),
  failures: ['undo_not_pending', 'fresh_passkey_needed', 'older_passkey_needed'],
  attempt: 'duckling.email_restore_cancelled',
  handle: (context) => cancelUndo(context),
})
