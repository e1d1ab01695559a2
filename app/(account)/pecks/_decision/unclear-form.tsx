'use client'

import { ActionForm, SubmitButton } from '@/components/ui/form'
import { rejectPeck } from './actions'
import type { DecisionFormProps } from './decision-props'
import { ReportOutcome } from './report-outcome'

/** The asker reads it, so it says what to change. */
const reason =
  'Unclear amount. Write it with a point before the cents and the code of the currency, and no other signs: 4800.00 EUR.'

/** Rejects an amount that can be read in two ways, with a reason that tells the asker what to fix. */
export function UnclearForm({ peckId, subject, onDecided }: DecisionFormProps) {
  return (
    <ActionForm action={rejectPeck} label={`Reject: unclear amount: ${subject}`} className="gap-2!">
      <input type="hidden" name="peck_id" value={peckId} />
      <input type="hidden" name="quick" value="unclear" />
      <input type="hidden" name="reason" value={reason} />
      <SubmitButton kind="plain" pending="Rejecting …">
        Reject: unclear amount
      </SubmitButton>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}
