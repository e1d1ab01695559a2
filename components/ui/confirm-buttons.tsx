'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { ButtonKind } from './button-class'
import { SubmitButton } from './submit-button'

/** The Cancel button of the surrounding `Confirm`. */
export const CancelButton = createContext<ReactNode>(null)

interface ConfirmButtonsProps {
  /** The label of the button that performs the action. */
  children: ReactNode
  kind?: ButtonKind
  pending?: string
}

/** The last row of the form in a `Confirm`: Cancel, then the button that performs the action. */
export function ConfirmButtons({ children, kind = 'danger', pending }: ConfirmButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      {useContext(CancelButton)}
      <SubmitButton kind={kind} pending={pending}>
        {children}
      </SubmitButton>
    </div>
  )
}
