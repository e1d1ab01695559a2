'use client'

import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'

const Palette = lazy(() => import('./palette'))

/** Opens the command palette, also with Ctrl K or ⌘ K. The palette is loaded when it opens. */
export function PaletteButton() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isShortcut || event.key.toLowerCase() !== 'k' || event.defaultPrevented) return
      event.preventDefault()
      // Two dialogs at once would confuse.
      if (document.querySelector('dialog[open], [role="alertdialog"]') === null) setIsOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Go to … (Ctrl K)"
        className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2 text-sm text-soft hover:bg-sunken hover:text-ink noscript:hidden"
      >
        <Search aria-hidden="true" size={18} />
        <span className="max-lg:sr-only">Go to</span>
        <kbd className="rounded-control border border-line px-1.5 text-xs max-lg:hidden">Ctrl K</kbd>
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <Palette onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
