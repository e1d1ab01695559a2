'use client'

import { useEffect } from 'react'
import { useRefresh } from './connection/use-refresh'

const firstDelayMs = 2_000
const maxDelayMs = 20_000

/**
 * Refreshes the page every few seconds, with growing delays, for pages that wait for an event. Pauses while the tab is hidden. Typed
 * values and open parts of the page stay.
 */
export function Refresh() {
  const refresh = useRefresh()
  useEffect(() => {
    let delay = firstDelayMs
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      if (document.visibilityState === 'visible') refresh()
      delay = Math.min(delay * 1.15, maxDelayMs)
      timer = setTimeout(tick, delay)
    }
    timer = setTimeout(tick, delay)
    const refreshIfVisible = () => document.visibilityState === 'visible' && refresh()
    document.addEventListener('visibilitychange', refreshIfVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', refreshIfVisible)
    }
  }, [refresh])
  return null
}
