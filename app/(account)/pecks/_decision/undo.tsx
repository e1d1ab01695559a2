'use client'

import { useEffect, useState } from 'react'
import { useFormStatus } from 'react-dom'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm, useAnswer } from '@/components/ui/form'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { undoApproval, undoRejection } from './actions'
import type { Outcome } from './outcome'
import { ReportOutcome } from './report-outcome'

interface UndoProps {
  kind: 'approved' | 'rejected'
  peckId: string
  /** The action in words, for the label of the form. */
  subject: string
  /** How long the button stays. */
  seconds: number
  onUndone: (outcome: Outcome) => void
  /** Called when the time is up. */
  onOver: () => void
}

/**
 * A button that revokes a fresh approval or takes back a fresh rejection, with the seconds that are left. A click counts even when the time
 * ends while the request is on its way.
 */
export function Undo({ kind, peckId, subject, seconds, onUndone, onOver }: UndoProps) {
  return (
    <ActionForm
      action={kind === 'approved' ? undoApproval : undoRejection}
      label={
        kind === 'approved' ? m.decision_undo_approval({ subject }) : m.decision_undo_rejection({ subject })
      }
      className="gap-2!"
    >
      <input type="hidden" name="peck_id" value={peckId} />
      <UndoButton seconds={seconds} onOver={onOver} />
      <ReportOutcome onDecided={onUndone} />
    </ActionForm>
  )
}

function UndoButton({ seconds, onOver }: Pick<UndoProps, 'seconds' | 'onOver'>) {
  const { pending } = useFormStatus()
  const { status, lost } = useAnswer()
  const hasFailed = status === 'failed'
  const isLost = lost !== undefined && !pending
  const left = useSecondsLeft(seconds)
  // The error of an attempt stays, with the button to try again.
  const isOver = left === 0 && !pending && !hasFailed
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver, onOver])
  // The message about a lost answer has a button of its own.
  if (isLost) return null
  return (
    <button type="submit" data-undo aria-disabled={pending} className={buttonClass('plain', 'ps-2.5')}>
      <span aria-hidden="true" className="relative grid size-7 place-items-center text-xs tabular-nums">
        <svg viewBox="0 0 28 28" aria-hidden="true" className="absolute inset-0 -rotate-90" fill="none">
          <circle cx="14" cy="14" r="12" strokeWidth="2" className="stroke-line" />
          <circle
            cx="14"
            cy="14"
            r="12"
            strokeWidth="2"
            pathLength="1"
            strokeDasharray="1 1"
            className="countdown-ring stroke-accent"
            style={{ animationDuration: `${seconds}s` }}
          />
        </svg>
        {left}
      </span>
      {pending ? m.decision_undoing() : hasFailed ? m.decision_try_again() : m.decision_undo()}
    </button>
  )
}

/** Counts down from a number of seconds to zero. Uses the clock, so that a browser that slept is not late. */
function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = readClock().getTime() + seconds * 1000
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - readClock().getTime()) / 1000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
