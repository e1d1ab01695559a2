import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { requestCode } from './actions'

export interface Kept {
  next: string
  reason: string
}

/** What the steps of signing in carry along. */
export function KeptFields({ kept }: { kept: Kept }) {
  return (
    <>
      <input type="hidden" name="next" value={kept.next} />
      <input type="hidden" name="reason" value={kept.reason} />
    </>
  )
}

/** Where the code shall go. The browser offers passkeys in the very same field. */
export function AddressStep({ email, kept }: { email: string; kept: Kept }) {
  return (
    <ActionForm action={requestCode} label="Sign in with a code">
      <KeptFields kept={kept} />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username webauthn"
        defaultValue={email}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SubmitButton kind="plain">Mail me a code</SubmitButton>
        <SubmitButton kind="quiet" name="has-code" value="yes">
          I have a code
        </SubmitButton>
      </div>
    </ActionForm>
  )
}
