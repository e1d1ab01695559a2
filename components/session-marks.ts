/**
 * Two marks in the browser: that this tab showed pages of somebody who was signed in, and when a tab of this browser signed out. They hold no
 * name and no token. A browser that stores nothing shows the sign-in page without a reason.
 */
import { readClock } from '@/lib/kernel/runtime/clock'

const viewerKey = 'beak.signed-in'
const signedOutKey = 'beak.signed-out'

export type SessionEnd = 'another_window' | 'unknown'

/** Records that a page of somebody who is signed in is shown. */
export function rememberViewer(): void {
  store(() => window.sessionStorage.setItem(viewerKey, String(readClock().getTime())))
}

/** Records that this tab has signed out. */
export function forgetViewer(): void {
  store(() => {
    if (window.sessionStorage.getItem(viewerKey) === null) return
    window.sessionStorage.removeItem(viewerKey)
    window.localStorage.setItem(signedOutKey, String(readClock().getTime()))
  })
}

/** Returns how the session of this tab ended, or null when the tab had none. Forgets it. */
export function takeSessionEnd(): SessionEnd | null {
  return (
    store(() => {
      const signedIn = window.sessionStorage.getItem(viewerKey)
      if (signedIn === null) return null
      window.sessionStorage.removeItem(viewerKey)
      const signedOut = window.localStorage.getItem(signedOutKey)
      return signedOut !== null && Number(signedOut) >= Number(signedIn) ? 'another_window' : 'unknown'
    }) ?? null
  )
}

/** Calls `listener` when another tab signs out, until the returned function is called. */
export function onSignOutElsewhere(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === signedOutKey && listener()
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

// A browser may refuse access to its storage.
function store<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
