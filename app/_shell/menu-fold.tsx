'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'

interface MenuFoldProps {
  label: string
  /** What the person presses to open the menu. */
  opener: ReactNode
  children: ReactNode
}

/** A menu below its opener. Without scripts it opens and closes, too. With scripts it also closes by Escape, elsewhere and on another page. */
export function MenuFold({ label, opener, children }: MenuFoldProps) {
  const fold = useRef<HTMLDetailsElement>(null)
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes after each change of the page
  useEffect(() => {
    if (fold.current !== null) fold.current.open = false
  }, [path])
  useEffect(() => {
    function closeFor(event: Event) {
      const details = fold.current
      if (details?.open && !details.contains(event.target as Node)) details.open = false
    }
    document.addEventListener('pointerdown', closeFor)
    document.addEventListener('focusin', closeFor)
    return () => {
      document.removeEventListener('pointerdown', closeFor)
      document.removeEventListener('focusin', closeFor)
    }
  }, [])
  return (
    <details
      ref={fold}
      className="relative shrink-0"
      // What an entry does may be below the menu.
      onSubmit={({ currentTarget }) => {
        currentTarget.open = false
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return
        event.preventDefault()
        event.currentTarget.open = false
        event.currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary
        aria-label={label}
        title={label}
        className="flex min-h-11 min-w-11 cursor-pointer list-none items-center gap-1.5 rounded-control px-1 text-sm font-semibold hover:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        {opener}
      </summary>
      <div className="absolute end-0 z-30 mt-1 w-max max-w-[calc(100vw-2rem)] min-w-56 rounded-card border border-line bg-surface p-1.5 shadow-card">
        {children}
      </div>
    </details>
  )
}
