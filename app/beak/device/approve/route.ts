import { z } from 'zod'
import { decideDevice } from '@/lib/domain/device-flow/decide'
import { DeviceDecision } from '@/lib/domain/device-flow/schema'
import { userCode } from '@/lib/domain/device-flow/user-code'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'approveDevice',
  summary: 'Let a waiting device sign in to your account',
  description:
    'Needs a fresh sign-in. The device gets an ordinary session, which appears in GET /beak/session/list with the name of the device. Approve only a code that your own device shows.',
  auth: 'session',
  limit: 'signin',
  body: z.strictObject({ user_code: userCode }),
  response: DeviceDecision,
  failures: [
    'fresh_passkey_needed',
    'fresh_sign_in_needed',
    'too_many_user_codes',
    'user_code_invalid',
    'device_already_decided',
  ],
  attempt: 'session.device_approved',
  handle: (context, { body }) => decideDevice(context, body.user_code, 'approved'),
})
