'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import { turnOnBuilder } from './actions'
import { isBuilderPage } from './builder-pages'

/**
 * Turns the switch "I build or host" on when the viewer opens a page for builders. Runs in the open page, because a read changes nothing:
 * prefetches and crawlers run no effects.
 */
export function BuilderMark() {
  const isOpen = isBuilderPage(usePathname())
  useEffect(() => {
    // A failure leaves the switch off. The page itself needs nothing of it.
    if (isOpen) turnOnBuilder().catch(() => undefined)
  }, [isOpen])
  return null
}
