import { startRegistration } from '@/lib/domain/passkeys/register'
import { CreationOptions } from '@/lib/domain/passkeys/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'startPasskeyRegistration',
  summary: 'Start adding a passkey',
  description:
    'Returns the options for `navigator.credentials.create()` (`PublicKeyCredential.parseCreationOptionsFromJSON`). Send the new credential to POST /beak/passkey/register/verify within 5 minutes. Needs a passkey proof in the last 10 minutes, or a sign-in when the account has no passkey.',
  remarks: [
    'The options ask for a discoverable passkey with user verification, and exclude the passkeys that the account has. The challenge has 32 random bytes and works once. An account has at most 20 passkeys.',
  ],
  auth: 'session',
  limit: 'authenticated',
  response: CreationOptions,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'too_many_passkeys'],
  attempt: 'passkey.challenged',
  handle: (context) => startRegistration(context),
})
