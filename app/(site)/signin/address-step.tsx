import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { sendCode } from './actions'

export interface Kept {
  next: string
  reason: string
}

/** Hidden fields that every step of the sign-in passes on. */
export function KeptFields({ kept }: { kept: Kept }) {
  return (
    <>
      <input type="hidden" name="next" value={kept.next} />
      <input type="hidden" name="reason" value={kept.reason} />
    </>
  )
}

/** Asks for the email that gets the code. The browser offers passkeys in the same field. */
export function AddressStep({ email, kept }: { email: string; kept: Kept }) {
  return (
    <ActionForm action={sendCode} label="Sign in with a code">
      <KeptFields kept={kept} />
      <TextField
        label="Email address"
        name="email"
        type="email"
        autoComplete="username webauthn"
        defaultValue={email}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SubmitButton kind="plain">Send code</SubmitButton>
        <SubmitButton kind="quiet" name="has-code" value="yes">
          I already have a code
        </SubmitButton>
      </div>
    </ActionForm>
  )
}
