'use client'

import { ActionForm, CheckField, SubmitButton, TextArea } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { rejectPeck } from './actions'
import type { DecisionFormProps } from './decision-props'
import { QuickReasons } from './quick-reasons'
import { RejectElsewhere } from './reject-elsewhere'
import { ReportOutcome } from './report-outcome'

export function RejectForm({ peckId, subject, blockableName, onDecided, ...request }: DecisionFormProps) {
  return (
    <details className="group open:basis-full">
      <summary className="inline-flex min-h-11 list-none items-center text-sm underline decoration-line hover:decoration-ink [&::-webkit-details-marker]:hidden">
        {m.decision_reject_with_a_reason()}
      </summary>
      <ActionForm
        action={rejectPeck}
        label={m.decision_reject_with_a_reason_subject({ subject })}
        className="mt-4 max-w-xl border-s-2 border-line ps-5"
      >
        <input type="hidden" name="peck_id" value={peckId} />
        <QuickReasons {...request} />
        <TextArea
          label={m.decision_your_own_reason()}
          name="reason"
          optional
          maxLength={280}
          rows={2}
          hint={m.decision_requester_sees_reason_unless_something_is()}
        />
        {blockableName === null ? null : (
          <CheckField
            label={m.decision_also_block_blockablename({ blockableName })}
            name="block"
            hint={m.decision_requests_from_them_their_agents_no()}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <SubmitButton kind="danger" pending={m.decision_rejecting()}>
            {m.decision_reject_request()}
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
