import { z } from 'zod'
import { removePasskey } from '@/lib/domain/passkeys/delete'
import { Passkey, passkeyId } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description:
    'The passkey can no longer be used. Sessions that it started stay open, unless `end_sessions` ends them: those that it signed in or confirmed last, and those in which it was added, but yours. The owner is notified by mail. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    passkey_id: passkeyId,
    end_sessions: z.boolean().default(false).meta({
      description:
        'For a lost device: also ends your other sessions of this passkey, the approvals that they gave, and their known devices.',
    }),
  }),
  // The answer is the removed passkey, so that a page can name it.
  response: Passkey.extend({
    ended_sessions: z
      .int()
      .optional()
      .meta({ description: 'With `end_sessions`: how many sessions and approvals ended.' }),
  }),
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'passkey_not_found'],
  attempt: 'passkey.removed',
  handle: (context, { body }) => removePasskey(context, body),
})
