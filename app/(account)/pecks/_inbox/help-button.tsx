'use client'

import { Keyboard } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

const ShortcutHelp = lazy(() => import('./shortcut-help'))

/** The help for shortcuts: a button, and the dialog that is loaded when it opens. */
export function useHelp() {
  const [isOpen, setIsOpen] = useState(false)
  return { isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) }
}

export function HelpButton({ isOpen, open, close }: ReturnType<typeof useHelp>) {
  return (
    <>
      <button
        type="button"
        onClick={open}
        aria-haspopup="dialog"
        title="Keyboard shortcuts (?)"
        className="grid size-11 place-items-center rounded-control text-soft hover:bg-sunken hover:text-ink max-lg:hidden"
      >
        <Keyboard aria-hidden="true" size={19} />
        <span className="visually-hidden">Keyboard shortcuts</span>
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={close} />
        </Suspense>
      ) : null}
    </>
  )
}
