'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { useFormStatus } from 'react-dom'
import { withBasePath } from '@/components/base-path'
import { KeptText } from '@/components/kept-text'
import { buttonClass } from '@/components/ui/button-class'
import { ActionForm, SubmitButton, useAnswer } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { undoApproval, undoBlock, undoRejection } from './actions'
import { forgetDecision, type Outcome, rememberDecision } from './outcome'
import { ReportOutcome, RequestSeal } from './outcome-scope'

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
function Undo({ kind, peckId, subject, seconds, onUndone, onOver }: UndoProps) {
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

interface UndoBlockProps {
  peckId: string
  duckling: { id: string; name: string }
  onUndone: (outcome: Outcome) => void
}

/** A button that undoes the block which came with a rejection. The requests that the block hid come back. */
function UndoBlock({ peckId, duckling, onUndone }: UndoBlockProps) {
  return (
    <ActionForm
      action={undoBlock}
      label={m.decision_unblock_name({ name: duckling.name })}
      className="gap-2!"
    >
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="duckling_id" value={duckling.id} />
      <SubmitButton kind="plain">{m.decision_undo_block()}</SubmitButton>
      <ReportOutcome onDecided={onUndone} />
    </ActionForm>
  )
}

interface OutcomeMessageProps {
  outcome: Outcome
  peckId: string
  /** The action in words. */
  subject: string
  isOnItsPage: boolean
  /** Called when the approval or the block was undone. */
  onChanged: (outcome: Outcome) => void
}

/** Shows the outcome in place of the forms: for ten seconds with a button to undo it, then with links to what came of it. */
export function OutcomeMessage({ outcome, peckId, subject, isOnItsPage, onChanged }: OutcomeMessageProps) {
  const line = useRef<HTMLParagraphElement>(null)
  const { isOwn, message, status, undoSeconds = 0 } = outcome
  const kind = status === 'rejected' ? 'rejected' : 'approved'
  const [isOver, setIsOver] = useState(false)
  const canUndo = undoSeconds > 0 && !isOver
  useEffect(() => {
    if (isOwn && message !== '') line.current?.focus({ preventScroll: true })
  }, [isOwn, message])
  useEffect(() => {
    if (isOwn && undoSeconds > 0)
      rememberDecision({ kind, peckId, subject, until: readClock().getTime() + undoSeconds * 1000 })
  }, [isOwn, undoSeconds, peckId, subject, kind])
  const end = useCallback(() => {
    // The button disappears. Somebody who was on it must not land at the top of the page.
    if (document.activeElement?.closest('[data-undo]')) line.current?.focus()
    setIsOver(true)
  }, [])
  return (
    <div className="flex min-h-12 min-w-0 grow flex-wrap items-center gap-x-5 gap-y-2 max-sm:px-2">
      {isOwn && status === 'approved' ? (
        <div className="sm:hidden">
          <RequestSeal size={64} />
        </div>
      ) : null}
      <p ref={line} role="status" tabIndex={-1} className="font-semibold wrap-anywhere" data-outcome={status}>
        <KeptText text={message} />
        {isOwn && undoSeconds > 0 ? (
          <span className="visually-hidden">
            {' '}
            {m.decision_you_can_undo_this_for_undoseconds({ undoSeconds })}
          </span>
        ) : null}
      </p>
      {canUndo ? (
        <Undo
          kind={kind}
          peckId={peckId}
          subject={subject}
          seconds={undoSeconds}
          onOver={end}
          onUndone={(undone) => {
            forgetDecision()
            onChanged(undone)
          }}
        />
      ) : null}
      {outcome.decided?.kind === 'blocked' ? (
        <UndoBlock peckId={peckId} duckling={outcome.decided.duckling} onUndone={onChanged} />
      ) : null}
      <OutcomeLinks
        peckId={peckId}
        ruleId={outcome.ruleId ?? null}
        supersededBy={outcome.supersededBy ?? null}
        hasReceipt={!isOnItsPage && (outcome.hasReceipt ?? false)}
        to={isOnItsPage ? (status === 'approved' && !canUndo ? 'permission' : null) : 'details'}
      />
    </div>
  )
}

interface OutcomeLinksProps {
  peckId: string
  ruleId: string | null
  supersededBy: string | null
  hasReceipt: boolean
  to: 'permission' | 'details' | null
}

function OutcomeLinks({ peckId, ruleId, supersededBy, hasReceipt, to }: OutcomeLinksProps) {
  const look = 'inline-flex min-h-11 items-center underline'
  return (
    <p className="ms-auto flex flex-wrap gap-x-5 text-sm empty:hidden">
      {ruleId === null ? null : (
        <Link href={`/rules/${ruleId}`} className={look}>
          {m.decision_open_rule()}
        </Link>
      )}
      {supersededBy === null ? null : (
        <Link href={`/pecks/${supersededBy}`} className={look}>
          {m.decision_open_the_request()}
        </Link>
      )}
      {hasReceipt ? (
        <a href={withBasePath(`/api/receipt?peck_id=${peckId}`)} className={look}>
          {m.decision_download_receipt()}
        </a>
      ) : null}
      {to === 'permission' ? (
        <a href="#permission" className={look}>
          {m.decision_view_permission()}
        </a>
      ) : null}
      {to === 'details' ? (
        <Link href={`/pecks/${peckId}`} className={look}>
          {m.decision_view_details()}
        </Link>
      ) : null}
    </p>
  )
}
