'use client'

import { ChevronRight } from 'lucide'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon'
import { openFolds } from './open-folds'

interface FoldedSectionProps {
  /** A link with `#id` opens the section. */
  id: string
  title: ReactNode
  /** How things stand, in a few words: people see it without opening the section. */
  state?: ReactNode
  lead?: ReactNode
  /** Whether it is open at first. */
  isOpen?: boolean
  children: ReactNode
}

/** A section of a settings page that shows its state in words, and its controls when it is opened. Works without scripts. */
export function FoldedSection({ id, title, state, lead, isOpen = false, children }: FoldedSectionProps) {
  const fold = useRef<HTMLDetailsElement>(null)
  // Not the attribute `open`: React would close the section when the state of the account changes.
  useEffect(() => {
    if (isOpen && fold.current) fold.current.open = true
  }, [isOpen])
  useEffect(() => {
    const arrive = () => {
      if (window.location.hash !== `#${id}` || !fold.current) return
      openFolds(fold.current)
      fold.current.scrollIntoView({ block: 'start' })
      fold.current.querySelector('summary')?.focus({ preventScroll: true })
    }
    arrive()
    window.addEventListener('hashchange', arrive)
    return () => window.removeEventListener('hashchange', arrive)
  }, [id])
  return (
    <section aria-labelledby={`${id}-title`} className="border-t border-line last:border-b">
      <details ref={fold} id={id} data-unfolds className="group/section scroll-mt-6">
        <summary className="flex min-h-16 cursor-pointer list-none items-center gap-x-4 py-3 [&::-webkit-details-marker]:hidden">
          <span className="grid min-w-0 flex-1 gap-x-14 gap-y-0.5 md:grid-cols-[14rem_minmax(0,1fr)] md:items-baseline">
            <h2 id={`${id}-title`} className="text-base leading-snug">
              {title}
            </h2>
            {state ? <span className="min-w-0 text-sm text-soft wrap-anywhere">{state}</span> : null}
          </span>
          <Icon
            of={ChevronRight}
            size={16}
            className="shrink-0 text-soft transition-transform duration-150 group-open/section:rotate-90 rtl:-scale-x-100"
          />
        </summary>
        <div className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-5 pt-2 pb-8 md:ms-[17.5rem]">
          {lead ? <div className="text-sm text-soft wrap-anywhere">{lead}</div> : null}
          <div className="min-w-0">{children}</div>
        </div>
      </details>
    </section>
  )
}
