'use client'

import { type ReactNode, useId, useRef } from 'react'
import { ApproveForm } from './approve-form'
import { NotNowForm } from './not-now-form'
import { Options } from './options'
import type { Outcome } from './outcome'
import { OutcomeMessage } from './outcome-message'
import { useOutcome } from './outcome-scope'
import { RejectForm } from './reject-form'

interface DecisionProps {
  peckId: string
  /** The action in words, for the labels of the forms: "send mail". */
  subject: string
  /** Who can be blocked with a rejection; null for the viewer's own agent. */
  blockableName: string | null
  lifetimes: { value: string; label: string }[]
  /** `missing`: a passkey is needed, and the viewer has none. */
  passkey: 'none' | 'optional' | 'required' | 'missing'
  isHighRisk: boolean
  /** The page of this request needs no link to itself. */
  isOnItsPage?: boolean
  icons: { approve: ReactNode; reject: ReactNode; passkey: ReactNode }
}

export interface DecisionFormProps extends Omit<DecisionProps, 'isOnItsPage'> {
  onDecided: (outcome: Outcome) => void
}

/**
 * The forms to answer a request. "Not now" and the primary way to approve are in a bar that stays in reach of the thumb. After the decision,
 * the outcome replaces them.
 */
export function Decision({ isOnItsPage = false, ...decision }: DecisionProps) {
  const formId = useId()
  const twoSteps = useRef<HTMLDetailsElement>(null)
  const { outcome, setOutcome } = useOutcome()
  const request = { ...decision, onDecided: setOutcome }
  const { passkey } = request
  if (outcome !== null)
    return (
      <div className={outcome.isOwn ? `${bar} flex` : 'border-t border-line pt-4'}>
        <OutcomeMessage
          outcome={outcome}
          peckId={request.peckId}
          subject={request.subject}
          isOnItsPage={isOnItsPage}
          onChanged={setOutcome}
        />
      </div>
    )
  return (
    <>
      <div className="grid gap-3">
        {passkey === 'none' ? null : <p className="max-w-prose text-sm text-soft">{passkeyNotes[passkey]}</p>}
        <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
          <Options {...request} formId={formId} twoSteps={twoSteps} />
          <RejectForm {...request} />
        </div>
      </div>
      {/* The message of a form takes a row of its own below the buttons. */}
      <div
        data-decision-bar
        className={`${bar} grid grid-cols-[2fr_3fr] gap-x-3 gap-y-2 sm:grid-cols-2 max-sm:[&_button>svg]:hidden [&_form>:last-child]:order-last [&_form>:last-child]:col-span-full`}
      >
        <NotNowForm {...request} />
        <ApproveForm {...request} formId={formId} twoSteps={twoSteps} />
      </div>
    </>
  )
}

/** Sticks to the end of the window while a part of the request is in view. Also the outcome, so that nothing scrolls. */
const bar =
  'sticky bottom-0 z-10 -mx-5 -mb-5 rounded-b-card border-t border-line bg-surface px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-7 sm:-mb-7 sm:px-7'

const passkeyNotes = {
  missing: 'You need a passkey to approve this. The request stays here.',
  required:
    'This approval needs your passkey. It signs exactly this request, and anyone can check the receipt.',
  optional: 'Your passkey signs exactly this request. Anyone can check the receipt.',
}
