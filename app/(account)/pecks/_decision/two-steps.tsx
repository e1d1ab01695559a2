'use client'

import type { RefObject } from 'react'
import { Sentence } from '@/components/sentence'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import type { ApproveWords } from '../_peck/request-words'
import { ApproveLabel } from './approve-label'

interface TwoStepsProps {
  formId: string
  /** The action in words: "transfer money". */
  subject: string
  approveWords: ApproveWords
  details: RefObject<HTMLDetailsElement | null>
}

/**
 * Approves a high risk without holding a button: for people who cannot hold one, and for browsers without scripts. The second button is not
 * where the first was, so that a double click does not approve.
 */
export function TwoSteps({ formId, subject, approveWords, details }: TwoStepsProps) {
  return (
    <details ref={details} className="open:basis-full">
      <summary className="inline-flex min-h-11 list-none items-center text-sm underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        {m.decision_approve_in_two_steps()}
      </summary>
      <div className="mt-2 grid justify-items-start gap-3 rounded-control bg-bad-wash p-4 text-sm">
        <p>
          <Sentence
            of={m.decision_this_request_has_high_risk_approve}
            with={{ subject }}
            parts={{ strong: (children) => <strong>{children}</strong> }}
          />
        </p>
        <button type="submit" form={formId} className={buttonClass('danger')}>
          <ApproveLabel words={approveWords} gesture="yes" />
        </button>
      </div>
    </details>
  )
}

/** Opens the second step, and moves the focus to its button. */
export function openSecondStep(details: HTMLDetailsElement | null): void {
  if (details === null) return
  details.open = true
  details.querySelector('button')?.focus()
}
