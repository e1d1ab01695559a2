'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { ButtonKind } from './button-class'
import { DialogButtons } from './dialog-buttons'
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
    <DialogButtons safe={useContext(CancelButton)}>
      <SubmitButton kind={kind} pending={pending}>
        {children}
      </SubmitButton>
    </DialogButtons>
  )
}
