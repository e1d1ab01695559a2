'use client'

import { useId, useRef } from 'react'
import { ApproveForm } from './approve-form'
import { useDecisionButtons } from './decision-buttons'
import type { DecisionProps } from './decision-props'
import { NotNowForm } from './not-now-form'
import { Options } from './options'
import { OutcomeMessage } from './outcome-message'
import { useOutcome } from './outcome-scope'
import { RejectForm } from './reject-form'

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
  // A high risk is held or confirmed, and a missing passkey is added on another page.
  const buttons = useDecisionButtons(request.isHighRisk || passkey === 'missing')
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
        <NotNowForm {...request} button={buttons.notNow} />
        <ApproveForm {...request} button={buttons.approve} formId={formId} twoSteps={twoSteps} />
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
