'use client'

import { Sentence } from '@/components/sentence'
import { CodeField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'

export type EmailStep = { step: 'address' } | { step: 'code'; address: string }

/** The fields of the current step. */
export function EmailSteps() {
  const { data } = useAnswer<EmailStep>()
  if (data?.step !== 'code')
    return (
      <>
        <TextField
          label={m.profile_new_email_address()}
          name="new_email"
          type="email"
          autoComplete="email"
          // After "Use another address", the button that had the focus is gone.
          autoFocus={data?.step === 'address'}
          hint={m.profile_email_change_hint()}
        />
        <SubmitButton kind="plain">{m.profile_send_code()}</SubmitButton>
      </>
    )
  return (
    <>
      <input type="hidden" name="new_email" value={data.address} />
      <CodeField
        hint={<Sentence of={m.profile_sent_to_address} with={{ address: data.address }} />}
        autoFocus
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{m.profile_change_email_address()}</SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          {m.profile_use_another_address()}
        </SubmitButton>
      </div>
    </>
  )
}
