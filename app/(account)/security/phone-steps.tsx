'use client'

import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { CodeField, SubmitButton, TextField, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { confirmPhone, type PhoneStep } from './actions'

interface PhoneFormProps {
  /** Another number is confirmed already. */
  isChange?: boolean
}

/** Confirms the phone in two steps. After the second step the form is gone, so `Announcements` shows the message. */
export function PhoneForm({ isChange = false }: PhoneFormProps) {
  return (
    <AnnouncedForm
      action={confirmPhone}
      label={isChange ? m.security_change_phone() : m.security_confirm_your_phone()}
      announces={({ data }) => data?.step === 'confirmed'}
    >
      {isChange ? <input type="hidden" name="change" value="yes" /> : null}
      <PhoneSteps />
    </AnnouncedForm>
  )
}

/** Folded: replaces the confirmed number by another one. The old one stays until the code of the new one is entered. */
export function ChangePhone() {
  return (
    <details className="mt-1 max-w-md">
      <summary className="min-h-11 w-max cursor-pointer py-2 text-sm underline">
        {m.security_change_phone()}
      </summary>
      <p className="mb-4 text-sm text-soft">{m.security_change_phone_hint()}</p>
      <PhoneForm isChange />
    </details>
  )
}

/** The fields of the current step. */
function PhoneSteps() {
  const { data } = useAnswer<PhoneStep>()
  if (data?.step !== 'code')
    return (
      <>
        <TextField
          label={m.security_phone_number()}
          name="phone"
          type="tel"
          autoComplete="tel"
          // After "Use another number", the button that had the focus is gone.
          autoFocus={data?.step === 'phone'}
          hint={m.security_phone_field_hint()}
        />
        <SubmitButton>{m.security_send_code()}</SubmitButton>
      </>
    )
  return (
    <>
      <input type="hidden" name="phone" value={data.number} />
      <CodeField hint={<Sentence of={m.security_sent_to_number} with={{ phone: data.number }} />} autoFocus />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{m.security_confirm_my_phone()}</SubmitButton>
        <SubmitButton kind="quiet" name="restart" value="yes">
          {m.security_use_another_number()}
        </SubmitButton>
      </div>
    </>
  )
}
