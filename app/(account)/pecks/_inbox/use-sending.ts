'use client'

import { useCallback, useRef } from 'react'

/** Counts the decisions that are being sent. */
export function useSending() {
  const count = useRef(0)
  const begin = useCallback(() => {
    count.current += 1
    return () => {
      count.current -= 1
    }
  }, [])
  return { begin, isSending: () => count.current > 0 }
}
