'use client'

import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../lazy-part'
import { type ButtonKind, buttonClass } from './button-class'

const ConfirmDialog = lazyPart(() => import('./confirm-dialog'))

interface ConfirmProps {
  /** The label of the button that opens the dialog. */
  trigger: ReactNode
  triggerKind?: ButtonKind
  title: ReactNode
  /** Says what will happen, and what cannot be undone. */
  text: ReactNode
  /** The form that performs the action. It ends with `ConfirmButtons`. */
  children: ReactNode
}

/** A button that asks in a dialog before an action that cannot be undone. The dialog focuses Cancel. */
export function Confirm({ trigger, triggerKind = 'danger', ...dialog }: ConfirmProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isLoaded, setIsLoaded] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  function open() {
    setIsLoaded(true)
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
      {isLoaded ? (
        <Suspense fallback={null}>
          <ConfirmDialog {...dialog} isOpen={isOpen} onOpenChange={setIsOpen} opener={opener} />
        </Suspense>
      ) : null}
    </>
  )
}
