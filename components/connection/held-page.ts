'use client'

/** The page that could not be opened, because the service was not reached. The notice offers to open it again. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let heldPath: string | null = null

/** Holds a page back, or forgets the one that is held back. */
export function holdPage(path: string | null): void {
  if (heldPath === path) return
  heldPath = path
  for (const listener of listeners) listener()
}

/** Returns the address of the page that could not be opened, without the base path, or null. */
export function useHeldPage(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => heldPath,
    () => null,
  )
}
