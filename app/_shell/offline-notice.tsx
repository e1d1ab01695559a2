'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { guardHardNavigation } from '@/components/connection/hard-navigation'
import { setPendingPage, usePendingPage } from '@/components/connection/pending-page'
import { probe, type Reach, useReach } from '@/components/connection/reach'
import { m } from '@/lib/kernel/messages'

const states: Record<Exclude<Reach, 'reached'>, () => string> = {
  offline: m.problem_youre_offline,
  unreachable: m.problem_unreachable_notice,
}

/** Shows a notice while the browser does not reach the service, and after a page could not be opened. */
export function OfflineNotice() {
  const reach = useReach()
  const pending = usePendingPage()
  const path = usePathname()
  // The notice is about a page that was left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is shown
  useEffect(() => setPendingPage(null), [path])
  useEffect(guardHardNavigation, [])
  return (
    <div
      ref={reserveHeight}
      role="status"
      className="no-print pointer-events-none fixed inset-x-0 bottom-(--rooms-height) z-30 md:bottom-[calc(1rem+var(--rooms-height))] md:px-4"
    >
      {reach === 'reached' && pending === null ? null : (
        <div className="pointer-events-auto mx-auto flex flex-wrap items-center justify-center gap-x-4 border-line bg-ink px-5 py-1 text-sm font-semibold text-ground shadow-card max-md:border-y md:w-fit md:rounded-2xl md:border">
          <p className="py-1.5">
            {reach === 'reached' ? null : `${states[reach]()} `}
            {pending !== null
              ? reach === 'reached'
                ? m.problem_the_page_couldnt_be_opened()
                : m.problem_cant_open_this_page()
              : m.problem_you_can_keep_reading_and_typing()}
          </p>
          {pending === null ? null : <PendingPage path={pending} />}
        </div>
      )}
    </div>
  )
}

/** Keeps the height of the notice for the page: on a phone, rows and buttons end above the notice. */
function reserveHeight(notice: HTMLElement | null) {
  if (notice === null) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--notice-height', `${notice.offsetHeight}px`))
  observer.observe(notice)
  return () => {
    observer.disconnect()
    style.removeProperty('--notice-height')
  }
}

/** Opens the page that could not be opened, or forgets it. */
function PendingPage({ path }: { path: string }) {
  const router = useRouter()
  async function retry() {
    if (!(await probe())) return
    setPendingPage(null)
    router.push(path)
  }
  const look = 'min-h-11 px-1 font-semibold underline'
  return (
    <span className="flex gap-x-3">
      <button type="button" onClick={() => void retry()} className={look}>
        {m.problem_retry()}
      </button>
      <button type="button" onClick={() => setPendingPage(null)} className={look}>
        {m.problem_stay_here()}
      </button>
    </span>
  )
}
