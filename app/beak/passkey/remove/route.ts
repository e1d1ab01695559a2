import { z } from 'zod'
import { removePasskey } from '@/lib/domain/passkeys/delete'
import { Passkey, passkeyId } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description:
    'The passkey can no longer be used. Sessions that it started stay open: end them with POST /beak/session/revoke and `all_others`. The owner is notified by mail. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ passkey_id: passkeyId }),
  // The answer is the removed passkey, so that a page can name it.
  response: Passkey,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'passkey_not_found'],
  attempt: 'passkey.removed',
  handle: (context, { body }) => removePasskey(context, body.passkey_id),
})
