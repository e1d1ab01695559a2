import { z } from 'zod'
import { userCode } from '@/lib/domain/device-flow/authorize'
import { viewDevice } from '@/lib/domain/device-flow/find-waiting'
import { WaitingDevice } from '@/lib/domain/device-flow/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'viewDevice',
  summary: 'See which device waits with a user code',
  description:
    'Needs a recent proof of you. `client_name` and `user_agent` come from the device and prove nothing. Compare the code with the code on your device before you approve it.',
  remarks: ['An account may enter 100 user codes a day.'],
  auth: 'session',
  limit: 'signin',
  body: z.strictObject({ user_code: userCode }),
  response: WaitingDevice,
  failures: [
    'fresh_passkey_needed',
    'fresh_sign_in_needed',
    'too_many_user_codes',
    'user_code_invalid',
    'device_already_decided',
  ],
  attempt: 'session.device_approved',
  handle: (context, { body }) => viewDevice(context, body.user_code),
})
