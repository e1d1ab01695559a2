'use client'

import { useEffect, useState } from 'react'
import { readClock } from '@/lib/kernel/runtime/clock'

const updateMilliseconds = 30_000

/** Returns the present as milliseconds: the server's first, so that both render the same text, then the browser's. */
export function useNow(serverNow: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(readClock().getTime()), updateMilliseconds)
    return () => clearInterval(timer)
  }, [])
  return Math.max(now, serverNow)
}
