import { z } from 'zod'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { confirmSession } from '@/lib/domain/passkeys/sign-in'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'confirmPasskey',
  summary: 'Confirm your session with a passkey',
  description:
    'Takes the assertion for a challenge from POST /beak/passkey/challenge with purpose `confirm`, created with the same session. Until `confirmed_until` this session may make sensitive changes. A challenge can be used once, even when the confirmation is refused.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ passkey: AssertionCredential }),
  response: z.object({ success: z.literal(true), confirmed_until: instant }),
  failures: ['passkey_assertion_invalid'],
  attempt: 'passkey.confirmed',
  handle: (context, { body }) => confirmSession(context, body.passkey),
})
