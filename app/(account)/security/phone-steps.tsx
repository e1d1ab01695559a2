'use client'

import { CodeField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'

export type PhoneStep = { step: 'phone' } | { step: 'code'; number: string }

/** The fields of the step the confirmation of the phone is at. */
export function PhoneSteps() {
  const { data } = useAnswer<PhoneStep>()
  if (data?.step !== 'code')
    return (
      <>
        <TextField
          label="Phone number"
          name="phone"
          type="tel"
          autoComplete="tel"
          hint="With its country code, for instance +1 415 555 0100. We send one message with a code."
        />
        <SubmitButton>Send the code</SubmitButton>
      </>
    )
  return (
    <>
      <input type="hidden" name="phone" value={data.number} />
      <CodeField hint={`Sent to ${data.number}.`} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Confirm my phone</SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          Use another number
        </SubmitButton>
      </div>
    </>
  )
}
