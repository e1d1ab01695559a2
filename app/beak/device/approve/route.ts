import { z } from 'zod'
import { userCode } from '@/lib/domain/device-flow/authorize'
import { decideDevice } from '@/lib/domain/device-flow/find-waiting'
import { DeviceDecision } from '@/lib/domain/device-flow/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'approveDevice',
  summary: 'Let a waiting device sign in to your account',
  description:
    'Needs a recent proof of you. The device gets an ordinary session, which appears in GET /beak/session/list with the name of the device. Approve only a code that your own device shows.',
  remarks: [
    'Of simultaneous decisions one succeeds, and the others are 409 with `current_status`. A code that another account decided is 404 like an unknown one.',
  ],
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
