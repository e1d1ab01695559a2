'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { openFolds } from './ui/open-folds'

/**
 * A part of a page that a link with `#id` leads to. Opens the folds around it, and focuses the first field there, so that a person who followed the link can type at once.
 * Without scripts, the browser scrolls to the part.
 */
export function FocusTarget({ id, children }: { id: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const arrive = () => {
      if (window.location.hash !== `#${id}`) return
      openFolds(place.current)
      place.current?.scrollIntoView({ block: 'center' })
      place.current
        ?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select, button')
        ?.focus({ preventScroll: true })
    }
    arrive()
    window.addEventListener('hashchange', arrive)
    return () => window.removeEventListener('hashchange', arrive)
  }, [id])
  return (
    <div ref={place} id={id} className="scroll-mt-6">
      {children}
    </div>
  )
}
