'use client'

import { useEffect, useState } from 'react'

/** Clicks do not count for this long after something has moved below the pointer. */
const settlingMilliseconds = 500

/** `settle()` starts the time in which clicks do not count. */
export function useSettling() {
  const [turn, setTurn] = useState(0)
  const [isSettling, setIsSettling] = useState(false)
  useEffect(() => {
    if (turn === 0) return
    const timer = setTimeout(() => setIsSettling(false), settlingMilliseconds)
    return () => clearTimeout(timer)
  }, [turn])
  function settle() {
    setIsSettling(true)
    setTurn((value) => value + 1)
  }
  return { isSettling, settle }
}
