import { RequestOptions } from '@/lib/domain/passkeys/schema'
import { startSignIn } from '@/lib/domain/passkeys/sign-in'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'startPasskeySignIn',
  summary: 'Start signing in with a passkey',
  description:
    'Returns the options for `navigator.credentials.get()` (`PublicKeyCredential.parseRequestOptionsFromJSON`). They name no account: the person chooses one of their passkeys for this service. The challenge is valid for 5 minutes.',
  auth: 'none',
  limit: 'signin',
  response: RequestOptions,
  handle: (context) => startSignIn(context),
})
