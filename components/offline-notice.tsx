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

/** Says so while the browser is offline, and what that means for what one is doing. */
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
          You are offline. What you see stays; what you send has to wait.
        </p>
      )}
    </div>
  )
}
