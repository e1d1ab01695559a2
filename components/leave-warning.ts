'use client'

import { useEffect } from 'react'

/** While `isActive`, asks before the person leaves the page by closing it, reloading it or following a link. */
export function useLeaveWarning(isActive: boolean, question: string): void {
  useEffect(() => {
    if (!isActive) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    // The router changes pages without an unload event. Runs in the capture phase, before the handlers of React.
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!link || link.hasAttribute('download') || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (link.getAttribute('href')?.startsWith('#') || window.confirm(question)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', warn)
    window.addEventListener('click', ask, true)
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('click', ask, true)
    }
  }, [isActive, question])
}
