'use client'

/** The page that could not be opened, because the service was not reached. The notice offers to open it again. */
import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let pendingPath: string | null = null

/** Sets the page that could not be opened. Null when there is none any more. */
export function setPendingPage(path: string | null): void {
  if (pendingPath === path) return
  pendingPath = path
  for (const listener of listeners) listener()
}

/** Returns the address of the page that could not be opened, without the base path, or null. */
export function usePendingPage(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => pendingPath,
    () => null,
  )
}
