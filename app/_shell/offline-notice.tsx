'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { guardHardNavigation } from '@/components/connection/hard-navigation'
import { holdPage, useHeldPage } from '@/components/connection/held-page'
import { probe, type Reach, useReach } from '@/components/connection/reach'

const states: Record<Exclude<Reach, 'reached'>, string> = {
  offline: "You're offline.",
  unreachable: "Beak can't be reached.",
}

/** Shows a notice while the browser does not reach the service, and after a page could not be opened. */
export function OfflineNotice() {
  const reach = useReach()
  const held = useHeldPage()
  const path = usePathname()
  // The notice is about a page that was left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is shown
  useEffect(() => holdPage(null), [path])
  useEffect(guardHardNavigation, [])
  return (
    <div role="status" className="no-print pointer-events-none fixed inset-x-0 bottom-4 z-30 px-4">
      {reach === 'reached' && held === null ? null : (
        <div className="pointer-events-auto mx-auto flex w-fit flex-wrap items-center justify-center gap-x-4 rounded-2xl border border-line bg-ink px-5 py-1 text-sm font-semibold text-ground shadow-card">
          <p className="py-1.5">
            {reach === 'reached' ? null : `${states[reach]} `}
            {held !== null
              ? reach === 'reached'
                ? "The page couldn't be opened."
                : "Can't open this page."
              : 'You can keep reading and typing.'}
          </p>
          {held === null ? null : <HeldPage path={held} />}
        </div>
      )}
    </div>
  )
}

/** Opens the page that could not be opened, or forgets it. */
function HeldPage({ path }: { path: string }) {
  const router = useRouter()
  async function retry() {
    if (!(await probe())) return
    holdPage(null)
    router.push(path)
  }
  const look = 'min-h-11 px-1 font-semibold underline'
  return (
    <span className="flex gap-x-3">
      <button type="button" onClick={() => void retry()} className={look}>
        Retry
      </button>
      <button type="button" onClick={() => holdPage(null)} className={look}>
        Stay here
      </button>
    </span>
  )
}
