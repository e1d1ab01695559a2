import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
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
    <ActionForm action={sendCode} label={m.signin_sign_in_with_a_code()}>
      <KeptFields kept={kept} />
      <TextField
        label={m.signin_email_address()}
        name="email"
        type="email"
        autoComplete="username webauthn"
        defaultValue={email}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SubmitButton kind="plain">{m.signin_send_code()}</SubmitButton>
        <SubmitButton kind="quiet" name="has-code" value="yes">
          {m.signin_i_already_have_a_code()}
        </SubmitButton>
      </div>
    </ActionForm>
  )
}
