import { z } from 'zod'
import { registerPasskey } from '@/lib/domain/passkeys/register'
import { Passkey, passkeyName, RegistrationCredential } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'finishPasskeyRegistration',
  summary: 'Finish adding a passkey',
  description:
    'Takes the JSON form of the credential from `navigator.credentials.create()`. The owner is notified by mail. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.',
  remarks: ['A credential that is registered already, with any account, is 409.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ credential: RegistrationCredential, name: passkeyName.optional() }),
  response: Passkey,
  failures: [
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'passkey_assertion_invalid',
    'passkey_already_registered',
    'too_many_passkeys',
  ],
  attempt: 'passkey.registered',
  handle: (context, { body }) => registerPasskey(context, body.credential, body.name),
})
