'use client'

import { createContext, useContext } from 'react'
import { type FormState, idleForm } from './form-state'

/** The latest answer to the surrounding form. Provided by `ActionForm`. */
export const Answer = createContext<FormState>(idleForm)

/** Returns the latest answer to the surrounding form. */
export function useAnswer<T>(): FormState<T> {
  return useContext(Answer) as FormState<T>
}
