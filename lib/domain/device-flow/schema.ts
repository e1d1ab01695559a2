import { z } from 'zod'
import { instant } from '@/lib/kernel/fields'

/** What a device gets: it shows `user_code` and `verification_uri`, and polls with `device_code` (RFC 8628, section 3.2). */
export const DeviceCodes = z
  .object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    interval: z.int().meta({ description: 'The least number of seconds between two polls.' }),
  })
  .meta({ id: 'DeviceCodes' })

/** A waiting device, as the person sees it who decides. Name and user agent come from the device, and prove nothing. */
export const WaitingDevice = z
  .object({
    user_code: z.string(),
    client_name: z.string(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    same_network: z
      .boolean()
      .meta({ description: 'Whether the device has the network address of the caller.' }),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'WaitingDevice' })

export type WaitingDeviceInput = z.input<typeof WaitingDevice>

export const DeviceDecision = z
  .object({ status: z.enum(['approved', 'denied']), client_name: z.string() })
  .meta({ id: 'DeviceDecision' })

export type DeviceDecisionInput = z.input<typeof DeviceDecision>
