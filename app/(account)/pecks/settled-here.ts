'use client'

import { createContext, useContext } from 'react'
import type { Settled } from './settled'

/** What became of the request in whose card one is, as far as the list around it has heard. */
export const SettledHere = createContext<Settled | null>(null)

export function useSettledHere(): Settled | null {
  return useContext(SettledHere)
}
