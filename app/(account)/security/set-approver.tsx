'use client'

import { useEffect } from 'react'
import { goToApprover } from '@/app/_passkeys/approver-errand'
import { ActionForm, SelectField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { type Enrolment, startApprover } from './approver-actions'

/** The form that leads to a new approver, which makes a passkey of its own site. */
export function SetApprover({ viewer }: { viewer: string }) {
  return (
    <ActionForm action={startApprover} label="Set an approver" className="max-w-md" countsOnce={false}>
      <TextField
        name="origin"
        label="Address of the approver"
        placeholder="https://approve.example"
        inputMode="url"
        required
      />
      <SelectField name="covers" label="It approves">
        <option value="high">High risks</option>
        <option value="all">Everything</option>
      </SelectField>
      <SubmitButton kind="plain">Open the approver</SubmitButton>
      <Leave viewer={viewer} />
    </ActionForm>
  )
}

/** Leaves for the approver when the service has answered. */
function Leave({ viewer }: { viewer: string }) {
  const { data, turn } = useAnswer<Enrolment>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useEffect(() => {
    if (!data) return
    const { origin, issuer, duckling_id, challenge, covers } = data
    void goToApprover(
      origin,
      { type: 'enrol', issuer, return: `${issuer}/security/approver`, duckling_id, challenge },
      { viewer, purpose: 'enrol', fields: { covers } },
    )
  }, [data, turn])
  return null
}
