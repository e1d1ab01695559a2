'use client'

import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react'

export interface DecisionButtons {
  /** A link when a passkey is missing. */
  approve: RefObject<HTMLElement | null>
  reject: RefObject<HTMLButtonElement | null>
  /** Opens the choices of when to answer. Missing when the request expires soon. */
  later: RefObject<HTMLElement | null>
  /** Approving needs more than one press, so a shortcut only moves the focus to the button. */
  isApproveFocused: boolean
}

/** Gives the buttons to the enclosing list. Returns the function that takes them back. */
export const ListButtons = createContext<(buttons: DecisionButtons) => () => void>(() => () => undefined)

/** Returns the refs of the buttons, which the enclosing list knows while the decision is shown. */
export function useDecisionButtons(isApproveFocused: boolean): DecisionButtons {
  const approve = useRef<HTMLElement>(null)
  const reject = useRef<HTMLButtonElement>(null)
  const later = useRef<HTMLElement>(null)
  const giveToList = useContext(ListButtons)
  useLayoutEffect(
    () => giveToList({ approve, reject, later, isApproveFocused }),
    [giveToList, isApproveFocused],
  )
  return { approve, reject, later, isApproveFocused }
}
