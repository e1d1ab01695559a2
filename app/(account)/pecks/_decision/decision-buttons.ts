'use client'

import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react'

export interface DecisionButtons {
  /** A link when a passkey is missing. */
  approve: RefObject<HTMLElement | null>
  notNow: RefObject<HTMLButtonElement | null>
  /** Approving needs more than one press, so a shortcut only moves the focus to the button. */
  isApproveFocused: boolean
}

/** Gives the buttons to the enclosing list. Returns the function that takes them back. */
export const ListButtons = createContext<(buttons: DecisionButtons) => () => void>(() => () => undefined)

/** Returns the refs of the buttons, which the enclosing list knows while the decision is shown. */
export function useDecisionButtons(isApproveFocused: boolean): DecisionButtons {
  const approve = useRef<HTMLElement>(null)
  const notNow = useRef<HTMLButtonElement>(null)
  const giveToList = useContext(ListButtons)
  useLayoutEffect(() => giveToList({ approve, notNow, isApproveFocused }), [giveToList, isApproveFocused])
  return { approve, notNow, isApproveFocused }
}
