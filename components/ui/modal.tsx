'use client'

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { buttonClass } from './button-class'

interface ModalProps {
  title: ReactNode
  /** Hides the title from view, for a dialog whose first control says what it is. */
  isTitleHidden?: boolean
  children: ReactNode
  /** The label of the button at the end. Without it, the content has its own. */
  closeLabel?: string
  onClose: () => void
  className?: string
}

/** A dialog that is open while it is rendered. Escape and a click beside it close it. The focus returns to where it was. */
export function Modal({
  title,
  isTitleHidden = false,
  children,
  closeLabel,
  onClose,
  className = '',
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before the element is removed: only an open dialog returns the focus when it closes.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The first control gets the focus, and may be so low that the title would scroll away.
    element?.scrollTo(0, 0)
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => dialog.current?.open === false && onClose()}
      onClick={(event) => event.target === dialog.current && onClose()}
      className={`m-auto max-h-[85dvh] w-[min(34rem,calc(100vw-2rem))] overflow-auto rounded-card border border-line bg-surface p-0 text-ink shadow-card backdrop:bg-black/45 ${className}`}
    >
      <div className={isTitleHidden ? '' : 'grid grid-cols-[minmax(0,1fr)] gap-4 p-6'}>
        <h2 id={titleId} className={isTitleHidden ? 'visually-hidden' : 'font-display text-xl font-semibold'}>
          {title}
        </h2>
        {children}
        {closeLabel === undefined ? null : (
          <button type="button" onClick={onClose} className={buttonClass('plain', 'justify-self-start')}>
            {closeLabel}
          </button>
        )}
      </div>
    </dialog>
  )
}
