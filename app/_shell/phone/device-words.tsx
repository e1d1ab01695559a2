'use client'

import { useEffect, useState } from 'react'
import { m } from '@/lib/kernel/messages'

type Device = 'phone' | 'computer'

/** Tells whether the page runs on a phone or tablet. For the browser only. */
export function thisDevice(): Device {
  const { userAgentData } = navigator as { userAgentData?: { mobile?: boolean } }
  const isPhone = userAgentData?.mobile || matchMedia('(pointer: coarse) and (hover: none)').matches
  return isPhone ? 'phone' : 'computer'
}

/** "This phone" or "This computer". Without scripts, and until they run, "This device". */
export function DeviceTitle() {
  const [device, setDevice] = useState<Device | null>(null)
  useEffect(() => setDevice(thisDevice()), [])
  if (device === null) return m.phone_this_device()
  return device === 'phone' ? m.phone_this_phone() : m.phone_this_computer()
}
