'use client'

import type { ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { type ButtonKind, buttonClass } from '@/components/ui/button-class'

interface BarButtonProps {
  kind: ButtonKind
  pending: string
  /** Lets shortcuts find the button. */
  decision: 'approve' | 'not-now'
  children: ReactNode
}

/** A button in the bar of the decision. Fills its cell, so that a thumb hits it. */
export function BarButton({ kind, pending: pendingLabel, decision, children }: BarButtonProps) {
  const { pending } = useFormStatus()
  return (
    <button
      type="submit"
      aria-disabled={pending}
      data-decision={decision}
      className={buttonClass(kind, 'min-h-12 px-2!')}
    >
      {pending ? pendingLabel : children}
    </button>
  )
}
