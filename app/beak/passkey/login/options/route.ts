import { endpoint } from '@/lib/http/endpoint'
import { RequestOptions } from '@/lib/passkeys/schema'
import { offerSignIn } from '@/lib/passkeys/sign-in'

export const POST = endpoint({
  summary: 'Start signing in with a passkey',
  description:
    'Answers what `navigator.credentials.get()` takes (`PublicKeyCredential.parseRequestOptionsFromJSON`). Nobody is named in it: the person chooses among the passkeys they have for this service. The challenge lives 5 minutes.',
  auth: 'none',
  limit: 'signin',
  response: RequestOptions,
  handle: (context) => offerSignIn(context),
})
