'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { withBasePath } from '@/components/base-path'
import { Link } from '@/components/ui/link'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import type { Outcome } from './outcome'
import { RequestSeal } from './outcome-scope'
import { forgetDecision, rememberDecision } from './recent-decision'
import { Undo } from './undo'
import { UndoBlock } from './undo-block'

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
        {message}
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
