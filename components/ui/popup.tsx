'use client'

import { type ReactNode, type Ref, useEffect, useRef } from 'react'

interface PopupProps {
  /** What the button that opens it says. */
  label: ReactNode
  /** The name of the button, when its label is not enough. */
  name?: string
  buttonClass: string
  button?: Ref<HTMLElement>
  onOpen?: (popup: HTMLDetailsElement) => void
  className?: string
  children: ReactNode
}

/** Content that opens at its button, also without scripts. Escape, a click beside it and a focus that leaves close it. */
export function Popup({
  label,
  name,
  buttonClass,
  button,
  onOpen,
  className = 'relative',
  children,
}: PopupProps) {
  const popup = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    // A click on something without focus, such as a text, moves no focus.
    function closeBeside({ target }: PointerEvent) {
      const details = popup.current
      if (details?.open && target instanceof Node && !details.contains(target)) details.open = false
    }
    document.addEventListener('pointerdown', closeBeside)
    return () => document.removeEventListener('pointerdown', closeBeside)
  }, [])
  return (
    <details
      ref={popup}
      data-popup
      className={className}
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.(currentTarget)}
      onKeyDown={(event) => {
        // A list of choices that is open takes the key itself.
        if (event.key === 'Escape' && closePopup(event.currentTarget)) event.preventDefault()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.open = false
      }}
    >
      <summary
        ref={button}
        aria-label={name}
        className={`cursor-pointer list-none [&::-webkit-details-marker]:hidden ${buttonClass}`}
      >
        {label}
      </summary>
      {children}
    </details>
  )
}

/** Closes a popup, and gives its button the focus back. Returns false when it was closed. */
function closePopup(popup: HTMLDetailsElement): boolean {
  if (!popup.open) return false
  popup.open = false
  popup.querySelector('summary')?.focus()
  return true
}

/** Closes the popup that is open, wherever the focus is. Returns false when none is. */
export function closeOpenPopup(): boolean {
  const popup = document.querySelector<HTMLDetailsElement>('details[data-popup][open]')
  return popup !== null && closePopup(popup)
}
