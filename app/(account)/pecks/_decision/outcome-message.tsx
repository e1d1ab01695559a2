'use client'

import { useEffect, useRef } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { Link } from '@/components/ui/link'
import type { Outcome } from './outcome'

interface OutcomeMessageProps {
  outcome: Outcome
  peckId: string
  isOnItsPage: boolean
}

/** Shows the outcome in place of the forms, with links to the receipt and the details. */
export function OutcomeMessage({ outcome, peckId, isOnItsPage }: OutcomeMessageProps) {
  const line = useRef<HTMLParagraphElement>(null)
  const { isOwn } = outcome
  useEffect(() => {
    if (isOwn) line.current?.focus()
  }, [isOwn])
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p
        ref={line}
        role="status"
        tabIndex={-1}
        className="font-semibold wrap-anywhere"
        data-outcome={outcome.status}
      >
        {outcome.message}
      </p>
      {isOnItsPage ? null : <OutcomeLinks peckId={peckId} hasReceipt={outcome.hasReceipt ?? false} />}
    </div>
  )
}

function OutcomeLinks({ peckId, hasReceipt }: { peckId: string; hasReceipt: boolean }) {
  return (
    <p className="flex flex-wrap gap-x-5 text-sm">
      {hasReceipt ? (
        <a
          href={withBasePath(`/api/receipt?peck_id=${peckId}`)}
          className="inline-flex min-h-11 items-center underline"
        >
          Download receipt
        </a>
      ) : null}
      <Link href={`/pecks/${peckId}`} className="inline-flex min-h-11 items-center underline">
        View details
      </Link>
    </p>
  )
}
