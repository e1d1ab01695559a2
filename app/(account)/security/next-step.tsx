import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { FocusTarget } from '@/components/focus-target'
import { AnnouncedForm } from '@/components/ui/announcements'
import { buttonClass } from '@/components/ui/button'
import { ActionForm, CodeField, SubmitButton } from '@/components/ui/form'
import type { Tier } from '@/lib/kernel/tier'
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
      <AnnouncedForm action={confirmEmail} label="Confirm your email">
        <CodeField hint={`Sent to ${email}.`} />
        <SubmitButton>Confirm my email</SubmitButton>
      </AnnouncedForm>
      <ActionForm action={sendEmailCode} label="Send a new code">
        <SubmitButton kind="quiet">Send a new code</SubmitButton>
      </ActionForm>
    </div>
  )
}

function PasskeyForm() {
  return (
    <AnnouncedForm action={confirmByPasskey} label="Confirm by passkey">
      <p className="text-sm">
        Your device asks for your fingerprint, your face or its PIN. None of these reach us.
      </p>
      <PasskeySubmit challenge={{ purpose: 'elevate' }}>Reach T3 with my passkey</PasskeySubmit>
    </AnnouncedForm>
  )
}

function PasskeyNeeded() {
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm">You need a passkey for this tier.</p>
      {/* A plain link: the router does not report a change of the hash. */}
      <a href="#add-passkey" className={buttonClass()}>
        Add a passkey below
      </a>
    </div>
  )
}
