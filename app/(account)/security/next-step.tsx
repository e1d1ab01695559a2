import { PasskeySubmit } from '@/components/passkey-submit'
import { AnnouncedForm } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, CodeField, SubmitButton } from '@/components/ui/form'
import type { Tier } from '@/lib/kernel/context'
import { confirmByPasskey, confirmEmail, sendEmailCode } from './actions'
import { PhoneForm } from './phone-steps'

interface NextStepProps {
  tier: Tier
  email: string
  hasPasskey: boolean
}

/** The form that leads to the next tier. */
export function NextStep({ tier, email, hasPasskey }: NextStepProps) {
  switch (tier) {
    case 'T0':
      return <EmailForm email={email} />
    case 'T1':
      return <PhoneForm />
    case 'T2':
      return hasPasskey ? <PasskeyForm /> : <PasskeyNeeded />
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
      <ButtonLink href="#passkeys">Add a passkey below</ButtonLink>
    </div>
  )
}
