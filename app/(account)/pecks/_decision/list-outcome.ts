'use client'

import { createContext, useContext } from 'react'
import type { Outcome } from './outcome'

/** The outcome of the request in the card around, when the list has heard of one. */
export const ListOutcome = createContext<Outcome | null>(null)

/** Tells the list around that the viewer has decided the request in the card. */
export const ListDecided = createContext<(peckId: string, outcome: Outcome) => void>(() => undefined)

export function useListOutcome(): Outcome | null {
  return useContext(ListOutcome)
}
