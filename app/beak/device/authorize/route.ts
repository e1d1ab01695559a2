import { z } from 'zod'
import { authorizeDevice } from '@/lib/domain/device-flow/authorize'
import { DeviceCodes, deviceName } from '@/lib/domain/device-flow/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'authorizeDevice',
  summary: 'Start the sign-in of a device without a browser',
  description:
    'For command lines and other devices without a browser (RFC 8628). Show `user_code` and `verification_uri` to the person, or open `verification_uri_complete`, and call POST /beak/device/token every `interval` seconds. `client_name` is shown to the person who decides, for instance `beak on laptop`.',
  remarks: [
    'Both codes are valid for ten minutes. `user_code` has eight letters without vowels, such as `WDJB-MJHT`. `client_name` has 1 to 64 characters and follows the rules of names (/docs/contract).',
  ],
  auth: 'none',
  limit: 'signin',
  body: z.strictObject({ client_name: deviceName }),
  response: DeviceCodes,
  handle: (context, { body }) => authorizeDevice(context, body.client_name),
})
