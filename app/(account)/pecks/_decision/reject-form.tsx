'use client'

import { ActionForm, CheckField, SubmitButton, TextArea } from '@/components/ui/form'
import { rejectPeck } from './actions'
import type { DecisionFormProps } from './decision'
import { QuickReasons } from './quick-reasons'
import { ReportOutcome } from './report-outcome'

export function RejectForm({ peckId, subject, blockableName, icons, onDecided }: DecisionFormProps) {
  return (
    <details className="group open:col-span-full open:w-full">
      <summary className="inline-flex min-h-11 list-none whitespace-nowrap items-center gap-2 rounded-control border border-edge bg-surface px-4 py-2 text-sm font-semibold hover:bg-sunken group-open:bg-sunken [&::-webkit-details-marker]:hidden">
        {icons.reject} Reject …
      </summary>
      <ActionForm
        action={rejectPeck}
        label={`Reject: ${subject}`}
        className="mt-4 max-w-xl border-s-2 border-line ps-5"
      >
        <input type="hidden" name="peck_id" value={peckId} />
        <QuickReasons />
        <TextArea
          label="Your own reason"
          name="reason"
          optional
          maxLength={280}
          rows={2}
          hint="Replaces the reason above. The requester sees it and can't ask for this again for an hour."
        />
        {blockableName === null ? null : (
          <CheckField
            label={`Also block ${blockableName}`}
            name="block"
            hint="Requests from them and their agents no longer reach you. They aren't told."
          />
        )}
        <SubmitButton kind="danger" pending="Rejecting …">
          Reject request
        </SubmitButton>
        <ReportOutcome onDecided={onDecided} />
      </ActionForm>
    </details>
  )
}
