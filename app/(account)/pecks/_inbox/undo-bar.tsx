'use client'

import { useEffect, useState } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { undoSeconds } from '../_decision/outcome'
import { undoApprovals } from './actions'
import { chunkSize, type Undone, undoneWords } from './bulk'

/** A decision that was just made here. */
export interface Undoable {
  /** The approvals that can be undone. Empty after a rejection. */
  ids: string[]
  /** "Approved: Send an email." */
  message: string
}

/** How long the result is shown. */
const resultMilliseconds = 8000

interface UndoBarProps {
  undoable: Undoable
  onEnd: () => void
  onUndone: (ids: string[]) => void
}

/** Says what was decided. Offers to undo an approval for ten seconds, and says whether the permission had been used. The time stands still while it has the focus. */
export default function UndoBar({ undoable, onEnd, onUndone }: UndoBarProps) {
  const { ids, message } = undoable
  const [result, setResult] = useState<string | null>(ids.length === 0 ? message : null)
  const [isBusy, setIsBusy] = useState(false)
  const { left, hold } = useCountdown(undoSeconds, isBusy || result !== null)
  const isOver = left === 0
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  useEffect(() => {
    if (result === null) return
    const timer = setTimeout(onEnd, resultMilliseconds)
    return () => clearTimeout(timer)
  }, [result, onEnd])

  async function undo() {
    setIsBusy(true)
    setResult(undoneWords(await revokeAll(ids)))
    onUndone(ids)
  }

  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 rounded-control border border-line bg-surface py-1 ps-4 pe-1.5 text-sm shadow-card">
      <p role="status" className="min-w-0 py-1 wrap-anywhere">
        {result ?? message}
      </p>
      {result === null ? (
        <button
          type="button"
          data-undo
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          aria-disabled={isBusy}
          onClick={() => !isBusy && void undo()}
          className={buttonClass('quiet', 'px-3')}
        >
          {isBusy ? 'Undoing …' : 'Undo'}
          <span aria-hidden="true" className="w-5 text-end font-normal text-soft tabular-nums">
            {left}
          </span>
        </button>
      ) : null}
    </div>
  )
}

/** Revokes in parts, because one request should not take long. A part that fails counts as not revoked. */
async function revokeAll(ids: string[]): Promise<Undone> {
  const all: Undone = { uses: [], undone: 0, failed: 0 }
  for (let start = 0; start < ids.length; start += chunkSize) {
    const part = ids.slice(start, start + chunkSize)
    const { uses, undone, failed } = await undoApprovals(part).catch(() => ({
      uses: [],
      undone: 0,
      failed: part.length,
    }))
    all.uses.push(...uses)
    all.undone += undone
    all.failed += failed
  }
  return all
}

/** Counts seconds down to 0. Stands still while it is held or `isStopped`. */
function useCountdown(seconds: number, isStopped: boolean) {
  const [left, setLeft] = useState(seconds)
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (isStopped || isHeld || left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left, isStopped, isHeld])
  return { left, hold }
}
