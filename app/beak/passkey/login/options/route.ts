import { RequestOptions } from '@/lib/domain/passkeys/schema'
import { offerSignIn } from '@/lib/domain/passkeys/sign-in'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Start signing in with a passkey',
  description:
    'Answers what `navigator.credentials.get()` takes (`PublicKeyCredential.parseRequestOptionsFromJSON`). Nobody is named in it: the person chooses among the passkeys they have for this service. The challenge lives 5 minutes.',
  auth: 'none',
  limit: 'signin',
  response: RequestOptions,
  handle: (context) => offerSignIn(context),
})
