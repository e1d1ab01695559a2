import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { FocusTarget } from '@/components/focus-target'
import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, CodeField, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { Tier } from '@/lib/kernel/request/tier'
import { confirmByPasskey, confirmEmail, sendEmailCode } from './actions'
import { PhoneForm } from './phone-steps'

interface NextStepProps {
  tier: Tier
  email: string
  hasPasskey: boolean
}

/** The form that leads to the next tier. Links with the ids below lead straight to it. */
export function NextStep({ tier, email, hasPasskey }: NextStepProps) {
  switch (tier) {
    case 'T0':
      return (
        <FocusTarget id="confirm-email">
          <EmailForm email={email} />
        </FocusTarget>
      )
    case 'T1':
      return (
        <FocusTarget id="confirm-phone">
          <PhoneForm />
        </FocusTarget>
      )
    case 'T2':
      return (
        <FocusTarget id="confirm-passkey">{hasPasskey ? <PasskeyForm /> : <PasskeyNeeded />}</FocusTarget>
      )
    case 'T3':
      return null
  }
}

function EmailForm({ email }: { email: string }) {
  return (
    <div className="grid gap-4">
      <AnnouncedForm action={confirmEmail} label={m.security_confirm_your_email()}>
        <CodeField hint={<Sentence of={m.security_sent_to_email} with={{ email }} />} />
        <SubmitButton>{m.security_confirm_my_email()}</SubmitButton>
      </AnnouncedForm>
      <ActionForm action={sendEmailCode} label={m.security_send_a_new_code()}>
        <SubmitButton kind="quiet">{m.security_send_a_new_code()}</SubmitButton>
      </ActionForm>
    </div>
  )
}

function PasskeyForm() {
  return (
    <AnnouncedForm action={confirmByPasskey} label={m.security_confirm_by_passkey()}>
      <p className="text-sm">{m.security_passkey_confirm_hint()}</p>
      <PasskeySubmit challenge={{ purpose: 'elevate' }}>{m.security_confirm_with_my_passkey()}</PasskeySubmit>
    </AnnouncedForm>
  )
}

function PasskeyNeeded() {
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm">{m.security_you_need_passkey_for_this_tier()}</p>
      {/* A plain link: the router does not report a change of the hash. */}
      <a href="#add-passkey" className={buttonClass()}>
        {m.security_add_a_passkey_below()}
      </a>
    </div>
  )
}
