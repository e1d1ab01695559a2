import { z } from 'zod'
import { endorsePasskey } from '@/lib/domain/passkeys/endorse'
import { AssertionCredential, Passkey, passkeyId } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'endorsePasskey',
  summary: 'Let an older passkey vouch for a newer one',
  description:
    'Takes the assertion of an older passkey for a challenge from POST /beak/passkey/challenge with purpose `endorse`. Receipts that the newer passkey signs then show it. Services that have pinned the older passkey accept the newer one.',
  remarks: [
    'It needs no other proof, because the assertion is one. The endorsement stays when the older passkey is removed.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ passkey_id: passkeyId, passkey: AssertionCredential }),
  response: Passkey,
  failures: ['passkey_not_found', 'passkey_assertion_invalid'],
  attempt: 'passkey.endorsed',
  handle: (context, { body }) => endorsePasskey(context, body.passkey_id, body.passkey),
})
