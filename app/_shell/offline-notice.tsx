'use client'

import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

/** Shows a notice while the browser is offline. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status" className="no-print pointer-events-none fixed inset-x-0 bottom-4 z-30 px-4">
      {isOnline ? null : (
        <p className="mx-auto w-fit rounded-full border border-line bg-ink px-5 py-2.5 text-sm font-semibold text-ground shadow-card">
          You're offline. You can keep reading; reconnect to send anything.
        </p>
      )}
    </div>
  )
}
