'use client'

import { PasskeySubmit } from '@/components/passkey-submit'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { approvePeck } from './actions'
import type { DecisionFormProps } from './decision'
import { ReportOutcome } from './report-outcome'

export function ApproveForm({ peckId, subject, lifetimes, passkey, icons, onDecided }: DecisionFormProps) {
  return (
    <ActionForm action={approvePeck} label={`Approve: ${subject}`} className="gap-4">
      <input type="hidden" name="peck_id" value={peckId} />
      <div className="flex flex-wrap items-start gap-3">
        {lifetimes.length > 1 ? <LifetimeSelect lifetimes={lifetimes} /> : null}
        {passkey === 'required' ? null : (
          <SubmitButton kind="plain" pending="Approving …">
            {icons.approve} Approve
          </SubmitButton>
        )}
        {passkey === 'none' ? null : (
          <PasskeySubmit challenge={{ purpose: 'approve', peck_id: peckId }} kind="plain">
            {icons.approve} Approve with passkey
          </PasskeySubmit>
        )}
      </div>
      <ReportOutcome onDecided={onDecided} />
    </ActionForm>
  )
}

function LifetimeSelect({ lifetimes }: Pick<DecisionFormProps, 'lifetimes'>) {
  return (
    <label className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="text-soft">Valid for</span>
      <select
        name="grant_expires_in"
        className="min-h-11 rounded-control border border-edge bg-surface px-3 py-2"
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
