'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const firstMs = 2_000
const mostMs = 20_000

/**
 * While it is shown, asks for the page anew every few seconds, ever less often, and not while nobody looks: for pages on which
 * something is about to happen. What was typed or opened stays.
 */
export function Refresh() {
  const router = useRouter()
  useEffect(() => {
    let wait = firstMs
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      if (document.visibilityState === 'visible') router.refresh()
      wait = Math.min(wait * 1.15, mostMs)
      timer = setTimeout(tick, wait)
    }
    timer = setTimeout(tick, wait)
    const look = () => document.visibilityState === 'visible' && router.refresh()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [router])
  return null
}
