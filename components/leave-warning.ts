'use client'

import { useEffect } from 'react'

/** While `isActive`, asks before the page is left by closing, reloading or following a link of ours. */
export function useLeaveWarning(isActive: boolean, question: string): void {
  useEffect(() => {
    if (!isActive) return
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    // The router changes pages without unloading. Asked before any handler of React sees the click.
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (link.getAttribute('href')?.startsWith('#') || window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', hold)
    window.addEventListener('click', ask, true)
    return () => {
      window.removeEventListener('beforeunload', hold)
      window.removeEventListener('click', ask, true)
    }
  }, [isActive, question])
}
