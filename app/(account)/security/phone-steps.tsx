'use client'

import { AnnouncedForm } from '@/components/ui/announcements'
import { CodeField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { confirmPhone, type PhoneStep } from './actions'

/** Confirms the phone in two steps. After the second step the form is gone, so `Announcements` shows the message. */
export function PhoneForm() {
  return (
    <AnnouncedForm
      action={confirmPhone}
      label="Confirm your phone"
      announces={({ data }) => data?.step === 'confirmed'}
    >
      <PhoneSteps />
    </AnnouncedForm>
  )
}

/** The fields of the current step. */
function PhoneSteps() {
  const { data } = useAnswer<PhoneStep>()
  if (data?.step !== 'code')
    return (
      <>
        <TextField
          label="Phone number"
          name="phone"
          type="tel"
          autoComplete="tel"
          // After "Use another number", the button that had the focus is gone.
          autoFocus={data?.step === 'phone'}
          hint="With its country code, for example +1 415 555 0100. We'll send you a text message with a code."
        />
        <SubmitButton>Send code</SubmitButton>
      </>
    )
  return (
    <>
      <input type="hidden" name="phone" value={data.number} />
      <CodeField hint={`Sent to ${data.number}.`} autoFocus />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Confirm my phone</SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          Use another number
        </SubmitButton>
      </div>
    </>
  )
}
