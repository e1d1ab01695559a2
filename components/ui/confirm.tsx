'use client'

import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { type ButtonKind, buttonClass } from './button-class'

const ConfirmDialog = lazy(() => import('./confirm-dialog'))

interface ConfirmProps {
  /** The button that opens it. */
  trigger: string
  triggerKind?: ButtonKind
  title: string
  /** What will happen, and what cannot be undone. */
  text: ReactNode
  /** The form that does it; its own button says what. */
  children: ReactNode
}

/** Asks before something that cannot be undone. The way out has the focus. */
export function Confirm({ trigger, triggerKind = 'danger', ...dialog }: ConfirmProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  function open() {
    setIsWanted(true)
    setIsOpen(true)
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
        className={buttonClass(triggerKind)}
      >
        {trigger}
      </button>
      {isWanted ? (
        <Suspense fallback={null}>
          <ConfirmDialog {...dialog} isOpen={isOpen} onOpenChange={setIsOpen} opener={opener} />
        </Suspense>
      ) : null}
    </>
  )
}
