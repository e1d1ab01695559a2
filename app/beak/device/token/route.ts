import { z } from 'zod'
import { redeemDeviceCode } from '@/lib/domain/device-flow/redeem'
import { endpoint } from '@/lib/http/endpoint'
import { instant, tier } from '@/lib/kernel/fields'

export const POST = endpoint({
  operationId: 'redeemDeviceCode',
  summary: 'Get the session of an approved device',
  description:
    'Call this every `interval` seconds. While nobody has decided, the answer is 409 with `current_status: "pending"`, or 429 for an early call; `Retry-After` has the seconds to wait. `denied` and `expired` are final. The session is an ordinary one, but it never counts as a fresh sign-in.',
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
