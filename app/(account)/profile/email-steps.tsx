'use client'

import { CodeField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'

export type EmailStep = { step: 'address' } | { step: 'code'; address: string }

/** The fields of the current step. */
export function EmailSteps() {
  const { data } = useAnswer<EmailStep>()
  if (data?.step !== 'code')
    return (
      <>
        <TextField
          label="New email address"
          name="new_email"
          type="email"
          autoComplete="email"
          // After "Use another address", the button that had the focus is gone.
          autoFocus={data?.step === 'address'}
          hint="We'll send a code there. Nothing changes until you enter it."
        />
        <SubmitButton kind="plain">Send code</SubmitButton>
      </>
    )
  return (
    <>
      <input type="hidden" name="new_email" value={data.address} />
      <CodeField hint={`Sent to ${data.address}.`} autoFocus />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Change email address</SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          Use another address
        </SubmitButton>
      </div>
    </>
  )
}
