'use client'

import { ActionForm, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { rejectPeck } from './actions'
import type { DecisionFormProps } from './decision-props'
import { ReportOutcome } from './report-outcome'

/** Rejects an amount that can be read in two ways, with a reason that tells the asker what to fix. */
export function UnclearForm({ peckId, subject, onDecided }: DecisionFormProps) {
  return (
    <ActionForm
      action={rejectPeck}
      label={m.decision_reject_unclear_amount_subject({ subject })}
      className="gap-2!"
    >
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value="unclear" />
      <input type="hidden" name="reason" value={m.decision_unclear_amount_reason()} />
      <SubmitButton kind="plain" pending={m.decision_rejecting()}>
        {m.decision_reject_unclear_amount()}
      </SubmitButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}
