'use client'

import { createContext, useContext } from 'react'
import type { Outcome } from './outcome'

/** The outcome of the request in the enclosing card, when the list has received one. */
export const ListOutcome = createContext<Outcome | null>(null)

/** Tells the enclosing list that the viewer has decided the request in the card. */
export const ListDecided = createContext<(peckId: string, outcome: Outcome) => void>(() => undefined)

/** Tells the enclosing list that a decision is being sent. Returns the function that ends this. */
export const ListSending = createContext<() => () => void>(() => () => undefined)

export function useListOutcome(): Outcome | null {
  return useContext(ListOutcome)
}
