'use client'

import { useEffect, useEffectEvent } from 'react'

const asked = 'beak:shortcut-help'

/** Opens the help for shortcuts, from anywhere on the page. */
export const openHelp = () => void window.dispatchEvent(new Event(asked))

/** Calls `open` when the help is asked for. */
export function useHelpRequests(open: () => void): void {
  const onAsked = useEffectEvent(open)
  useEffect(() => {
    window.addEventListener(asked, onAsked)
    return () => window.removeEventListener(asked, onAsked)
  }, [])
}
