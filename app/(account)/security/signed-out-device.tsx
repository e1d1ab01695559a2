import { use } from 'react'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { inZone } from '@/lib/kernel/text/time-words'

interface SignedOutDeviceProps {
  /** In words. */
  device: string
  session: { auth_time: string; ip: string | null }
}

/** The field of a form that signs a device out, with which one it was: several may have the same name. */
export function SignedOutDevice({ device, session: { auth_time, ip } }: SignedOutDeviceProps) {
  const time = inZone(auth_time, use(chosenZone()))
  const words =
    ip === null
      ? m.security_device_and_time({ device, time })
      : m.security_device_time_and_address({ device, time, ip })
  return <input type="hidden" name="device" value={words} />
}
