'use client'

import type { RefObject } from 'react'
import { buttonClass } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import type { DecisionFormProps } from './decision-props'
import { TwoSteps } from './two-steps'

interface OptionsProps
  extends Pick<
    DecisionFormProps,
    'lifetimes' | 'passkey' | 'approver' | 'isHighRisk' | 'subject' | 'approveWords'
  > {
  /** The form of the approval. */
  formId: string
  twoSteps: RefObject<HTMLDetailsElement | null>
}

/** How to approve in another way: for a shorter time, without the passkey, in two steps. */
export function Options({ formId, lifetimes, twoSteps, ...request }: OptionsProps) {
  const { passkey, approver, isHighRisk, subject, approveWords } = request
  if (passkey === 'missing' && approver === null) return null
  return (
    <>
      {lifetimes.length > 1 ? <LifetimeSelect formId={formId} lifetimes={lifetimes} /> : null}
      {isHighRisk && passkey === 'none' && approver === null ? (
        <TwoSteps formId={formId} subject={subject} approveWords={approveWords} details={twoSteps} />
      ) : null}
      {!isHighRisk && passkey === 'optional' && approver === null ? (
        <button type="submit" form={formId} className={buttonClass('quiet', 'font-normal!')}>
          {m.decision_approve_without_passkey()}
        </button>
      ) : null}
    </>
  )
}

function LifetimeSelect({ formId, lifetimes }: Pick<OptionsProps, 'formId' | 'lifetimes'>) {
  return (
    <label className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="text-soft">{m.decision_valid_for()}</span>
      <select
        name="grant_expires_in"
        form={formId}
        className="min-h-11 max-w-full rounded-control border border-edge bg-surface px-3 py-2"
      >
        {lifetimes.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}
