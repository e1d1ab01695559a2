'use client'

import { useEffect, useRef, useState } from 'react'
import { readClock } from '@/lib/kernel/clock'
import type { Outcome } from './outcome'
import { findApproval, forgetApproval, type RecentApproval } from './recent-approval'
import { Undo } from './undo'

/** Offers to undo the approval that the viewer gave just before this page. Lies over the page, so that nothing moves. */
export function UndoNotice() {
  const [approval, setApproval] = useState<(RecentApproval & { seconds: number }) | null>(null)
  const [undone, setUndone] = useState<Outcome | null>(null)
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const now = readClock().getTime()
    const found = findApproval(now)
    if (found !== null) setApproval({ ...found, seconds: Math.ceil((found.until - now) / 1000) })
  }, [])
  useEffect(() => {
    if (undone !== null) line.current?.focus()
  }, [undone])
  if (approval === null) return null
  return (
    <div className="no-print fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-lg flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-5 py-3 shadow-card">
      <p ref={line} role="status" tabIndex={-1} className="min-w-0 text-sm font-semibold wrap-anywhere">
        {undone?.message ?? `Approved: ${approval.subject}.`}
      </p>
      {undone === null ? (
        <Undo
          peckId={approval.peckId}
          subject={approval.subject}
          seconds={approval.seconds}
          onOver={() => setApproval(null)}
          onUndone={(outcome) => {
            forgetApproval()
            setUndone(outcome)
          }}
        />
      ) : null}
    </div>
  )
}
