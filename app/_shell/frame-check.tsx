'use client'

import { useEffect } from 'react'
import { useRefresh } from '@/components/connection/use-refresh'

/** The last difference that led to a refresh, so that a frame which cannot be read does not lead to another one. */
let refreshed = ''

/**
 * Refreshes the page when the frame around it is outdated. The router keeps the frame from page to page, so the tier in the header would stay
 * after it has changed elsewhere. `state` is what the frame should show, as the server saw it when it rendered this page.
 */
export function FrameCheck({ state }: { state: string }) {
  const refresh = useRefresh()
  useEffect(() => {
    const shown = document.querySelector('header[data-frame]')?.getAttribute('data-frame')
    const difference = `${shown} ${state}`
    if (typeof shown !== 'string' || shown === state || refreshed === difference) return
    refreshed = difference
    refresh()
  })
  return null
}
