'use client'

import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef } from 'react'
import { isReached, whenReached } from './reach'

/**
 * Returns a function that refreshes the data of the page, now or when the service is reached again. `run` surrounds the refresh, for example
 * with a transition. Calls meanwhile lead to one refresh.
 */
export function useRefresh(run: (refresh: () => void) => void = (refresh) => refresh()): () => void {
  const router = useRouter()
  const isWaiting = useRef(false)
  const isGone = useRef(false)
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  return useCallback(() => {
    if (isWaiting.current) return
    isWaiting.current = true
    void isReached()
      .then(() => whenReached())
      .then(() => {
        isWaiting.current = false
        if (!isGone.current) latest.current(() => router.refresh())
      })
  }, [router])
}
