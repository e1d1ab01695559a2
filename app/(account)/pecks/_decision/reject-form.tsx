'use client'

import { ActionForm, CheckField, SubmitButton, TextArea } from '@/components/ui/form'
import { rejectPeck } from './actions'
import type { DecisionFormProps } from './decision-props'
import { QuickReasons } from './quick-reasons'
import { RejectElsewhere } from './reject-elsewhere'
import { ReportOutcome } from './report-outcome'

export function RejectForm({ peckId, subject, blockableName, onDecided, ...request }: DecisionFormProps) {
  return (
    <details className="group open:basis-full">
      <summary className="inline-flex min-h-11 list-none items-center text-sm underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        Reject with a reason …
      </summary>
      <ActionForm
        action={rejectPeck}
        label={`Reject with a reason: ${subject}`}
        className="mt-4 max-w-xl border-s-2 border-line ps-5"
      >
        <input type="hidden" name="peck_id" value={peckId} />
        <QuickReasons {...request} />
        <TextArea
          label="Your own reason"
          name="reason"
          optional
          maxLength={280}
          rows={2}
          hint="The requester sees the reason. Unless something is unclear or you would approve less, they can't ask for this again for an hour."
        />
        {blockableName === null ? null : (
          <CheckField
            label={`Also block ${blockableName}`}
            name="block"
            hint="Requests from them and their agents no longer reach you. They aren't told."
          />
        )}
        <div className="flex flex-wrap gap-3">
          <SubmitButton kind="danger" pending="Rejecting …">
            Reject request
          </SubmitButton>
          {request.approver === null ? null : (
            <RejectElsewhere peckId={peckId} subject={subject} approver={request.approver} kind="plain" />
          )}
        </div>
        <ReportOutcome onDecided={onDecided} />
      </ActionForm>
    </details>
  )
}
