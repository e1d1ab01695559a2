import { z } from 'zod'
import { instant, label } from '@/lib/kernel/request/fields'
import { imitatesSession, isReserved } from '@/lib/kernel/text/reserved-words'

/** How the command line names itself. Clients of version 0.2.0 send it, so it is not reserved. */
const ownStart = /^beak on /

/** The name that a device gives itself (contract F, Names). The person reads it before the approval, and in the list of sessions. */
export const deviceName = label
  .refine((name) => !isReserved(name.replace(ownStart, 'tool on ')), {
    error: 'contains a reserved word, or looks like one; choose another name',
    abort: true,
  })
  .refine(
    (name) => !imitatesSession(name),
    'sounds like the words of the service about your sessions; name the device itself, for instance “build server”',
  )

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
