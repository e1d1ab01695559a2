'use client'

import { useEffect } from 'react'
import { goToApprover } from '@/app/_passkeys/approver-errand'
import { ActionForm, SelectField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { type Enrolment, startApprover } from './approver-actions'

/** The form that leads to a new approver, which makes a passkey of its own site. */
export function SetApprover({ viewer }: { viewer: string }) {
  return (
    <ActionForm
      action={startApprover}
      label={m.security_set_an_approver()}
      className="max-w-md"
      countsOnce={false}
    >
      <TextField
        name="origin"
        label={m.security_address_of_the_approver()}
        placeholder="https://approve.example"
        inputMode="url"
        required
      />
      <SelectField name="covers" label={m.security_it_approves()}>
        <option value="high">{m.security_high_risks()}</option>
        <option value="all">{m.security_everything()}</option>
      </SelectField>
      <SubmitButton kind="plain">{m.security_open_the_approver()}</SubmitButton>
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
