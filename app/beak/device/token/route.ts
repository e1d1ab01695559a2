import { z } from 'zod'
import { redeemDeviceCode } from '@/lib/domain/device-flow/authorize'
import { endpoint } from '@/lib/http/endpoint'
import { instant, tier } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'redeemDeviceCode',
  summary: 'Get the session of an approved device',
  description:
    'Call this every `interval` seconds. While nobody has decided, the answer is 409 with `current_status: "pending"`, or 429 for an early call; `Retry-After` has the seconds to wait. `denied` and `expired` are final. The session is an ordinary one, but it never counts as a fresh sign-in.',
  remarks: [
    'In words of RFC 8628: 409 `pending` is `authorization_pending`, 429 `pending` is `slow_down` (the time to wait is then 5 seconds longer than before), 409 `denied` is `access_denied`, 409 `expired` is `expired_token`, and 401 is `invalid_grant`: the code is unknown or was used.',
    'The session has `amr: ["device"]` and the name of the device. It makes no sensitive change unless a passkey confirms it. It starts only while the session that approved it is live, and its start is always mailed.',
  ],
  auth: 'none',
  limit: 'anonymous',
  body: z.strictObject({ device_code: z.string().max(200) }),
  response: z.object({ token: z.string(), expires_at: instant, trust_tier: tier }),
  failures: [
    'device_code_invalid',
    'device_pending',
    'device_polled_too_early',
    'device_denied',
    'device_expired',
  ],
  handle: (context, { body }) => redeemDeviceCode(context, body.device_code),
})
