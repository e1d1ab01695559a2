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

/** What leads to the next tier. */
export function NextStep({ tier, email, hasPasskey }: NextStepProps) {
  switch (tier) {
    case 'T0':
      return <Email email={email} />
    case 'T1':
      return <PhoneForm />
    case 'T2':
      return hasPasskey ? <Passkey /> : <PasskeyFirst />
    case 'T3':
      return null
  }
}

function Email({ email }: { email: string }) {
  return (
    <div className="grid gap-4">
      <AnnouncedForm action={confirmEmail} label="Confirm your e-mail">
        <CodeField hint={`Mailed to ${email}.`} />
        <SubmitButton>Confirm my e-mail</SubmitButton>
      </AnnouncedForm>
      <ActionForm action={sendEmailCode} label="Have a new code sent">
        <SubmitButton kind="quiet">Send me a new code</SubmitButton>
      </ActionForm>
    </div>
  )
}

function Passkey() {
  return (
    <AnnouncedForm action={confirmByPasskey} label="Confirm by passkey">
      <p className="text-sm">
        Your device asks for your finger, your face or its PIN. Nothing of that reaches us.
      </p>
      <PasskeySubmit challenge={{ purpose: 'elevate' }}>Rise to T3 with my passkey</PasskeySubmit>
    </AnnouncedForm>
  )
}

function PasskeyFirst() {
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm">This takes a passkey, and you have none yet.</p>
      <ButtonLink href="#passkeys">Add one below</ButtonLink>
    </div>
  )
}
