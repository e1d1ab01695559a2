'use client'

import { CodeField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'

export type EmailStep = { step: 'address' } | { step: 'code'; address: string }

/** The fields of the step the change of address is at. */
export function EmailSteps() {
  const { data } = useAnswer<EmailStep>()
  if (data?.step !== 'code')
    return (
      <>
        <TextField
          label="New address"
          name="new_email"
          type="email"
          autoComplete="email"
          // Back from the code: the button that had the focus is gone.
          autoFocus={data?.step === 'address'}
          hint="We mail a code there first; until you enter it, nothing changes."
        />
        <SubmitButton kind="plain">Send the code</SubmitButton>
      </>
    )
  return (
    <>
      <input type="hidden" name="new_email" value={data.address} />
      <CodeField hint={`Mailed to ${data.address}.`} autoFocus />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Change my address</SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          Use another address
        </SubmitButton>
      </div>
    </>
  )
}
