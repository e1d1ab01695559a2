'use client'

import type { ReactNode, Ref } from 'react'
import { useFormStatus } from 'react-dom'
import { type ButtonKind, buttonClass } from '@/components/ui/button-class'
import { useDecisionPause } from './decision-pause'

interface BarButtonProps {
  kind: ButtonKind
  pending: string
  button: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button in the bar of the decision. Fills its cell, so that a thumb hits it. */
export function BarButton({ kind, pending: pendingLabel, button, children }: BarButtonProps) {
  const { pending } = useFormStatus()
  const pause = useDecisionPause()
  return (
    <button
      ref={button}
      type="submit"
      aria-disabled={pending || pause.isPaused}
      aria-describedby={pause.reasonId}
      onClick={(event) => pause.isPaused && event.preventDefault()}
      className={buttonClass(kind, 'min-h-12 px-2! aria-disabled:opacity-60')}
    >
      {pending ? pendingLabel : children}
    </button>
  )
}
