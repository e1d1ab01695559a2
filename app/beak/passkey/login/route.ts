import { z } from 'zod'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { signInWithPasskey } from '@/lib/domain/passkeys/sign-in'
import { DeviceToken } from '@/lib/domain/sessions/devices'
import { endpoint } from '@/lib/http/endpoint'
import { instant, tier } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'signInWithPasskey',
  summary: 'Sign in with a passkey',
  description:
    'Takes the JSON form of the assertion from `navigator.credentials.get()` with the options of POST /beak/passkey/login/options. A challenge can be used once, even when the sign-in is refused.',
  remarks: [
    'The challenge inside the signed client data finds its row. Origin, RP id, user verification and counter are checked, and every fault gets the same answer. A counter that goes back is refused, recorded and mailed to the owner.',
  ],
  auth: 'none',
  limit: 'signin',
  body: z.strictObject({ credential: AssertionCredential, device_token: DeviceToken.optional() }),
  response: z.object({
    token: z.string(),
    expires_at: instant,
    trust_tier: tier,
    duckling_id: z.string(),
    device_token: z.string(),
  }),
  failures: ['passkey_assertion_invalid', 'account_suspended'],
  attempt: 'session.started',
  handle: (context, { body }) => signInWithPasskey(context, body.credential, body.device_token),
})
