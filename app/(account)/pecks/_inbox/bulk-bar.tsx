'use client'

import { Check, X } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import type { BulkDecision, BulkOutcome } from './bulk'
import type { InboxRow } from './row'

const BulkDialog = lazy(() => import('./bulk-dialog'))

interface SelectAllProps {
  checked: number
  open: number
  onCheckAll: (isOn: boolean) => void
}

/** Selects all rows that the filters match. */
export function SelectAll({ checked, open, onCheckAll }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null)
  const isAll = checked > 0 && checked === open
  useEffect(() => {
    if (box.current) box.current.indeterminate = checked > 0 && checked < open
  }, [checked, open])
  return (
    <label className="flex min-h-11 items-center text-sm">
      <span className="grid w-9 place-items-center">
        <input
          ref={box}
          type="checkbox"
          checked={isAll}
          onChange={() => onCheckAll(!isAll)}
          className="size-4.5 accent-accent"
        />
      </span>
      <span className={checked > 0 ? 'visually-hidden' : ''}>Select all matching</span>
    </label>
  )
}

interface BulkBarProps {
  rows: InboxRow[]
  /** Called after each part of a long list. */
  onDecided: (outcomes: BulkOutcome[]) => void
  /** Called once with the outcome of all. */
  onEnded: (decision: BulkDecision, outcomes: BulkOutcome[]) => void
  /** Called after the dialog has gone. */
  onClosed: () => void
}

/** What can be done with the selected requests. */
export function BulkBar({ rows, onDecided, onEnded, onClosed }: BulkBarProps) {
  const [decision, setDecision] = useState<BulkDecision | null>(null)
  const wasOpen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once after each dialog
  useEffect(() => {
    if (wasOpen.current && decision === null) onClosed()
    wasOpen.current = decision !== null
  }, [decision])
  // The dialog keeps its rows when they leave the selection, because they are decided.
  const [asked, setAsked] = useState<InboxRow[]>([])
  function ask(next: BulkDecision) {
    setAsked(rows)
    setDecision(next)
  }
  return (
    <>
      {rows.length === 0 ? null : (
        <div className="flex flex-1 flex-wrap items-center gap-2">
          <p role="status" className="me-auto text-sm font-semibold whitespace-nowrap">
            {rows.length.toLocaleString('en')} selected
          </p>
          <button
            type="button"
            onClick={() => ask('approve')}
            className={buttonClass('plain', 'px-3 max-sm:px-2')}
          >
            <Check aria-hidden="true" size={17} className="max-sm:hidden" /> Approve …
          </button>
          <button
            type="button"
            onClick={() => ask('reject')}
            className={buttonClass('plain', 'px-3 max-sm:px-2')}
          >
            <X aria-hidden="true" size={17} className="max-sm:hidden" /> Not now …
          </button>
        </div>
      )}
      {decision === null ? null : (
        <Suspense fallback={null}>
          <BulkDialog
            rows={asked}
            decision={decision}
            onClose={() => setDecision(null)}
            onDecided={onDecided}
            onEnded={(outcomes) => onEnded(decision, outcomes)}
          />
        </Suspense>
      )}
    </>
  )
}
