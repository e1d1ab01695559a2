import { z } from 'zod'
import { userCode } from '@/lib/domain/device-flow/authorize'
import { decideDevice } from '@/lib/domain/device-flow/find-waiting'
import { DeviceDecision } from '@/lib/domain/device-flow/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'denyDevice',
  summary: 'Refuse a waiting device',
  description: 'Needs a recent proof of you. The device gets no session, and its code stops working.',
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
  attempt: 'session.device_denied',
  handle: (context, { body }) => decideDevice(context, body.user_code, 'denied'),
})
