'use client'

import { useRouter } from 'next/navigation'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { type FormState, failed, field, type Need, succeeded } from '@/components/ui/form-state'
import { finishPasskey, startPasskey } from './actions'
import { createPasskey, PasskeyError } from './ceremony'

/** Runs the whole ceremony: gets a challenge, creates the passkey, registers it. */
async function addPasskey(previous: FormState, form: FormData): Promise<FormState> {
  try {
    const offer = await startPasskey()
    if (!offer.ok) return withNeed(failed(previous, form, offer.message), offer.needs)
    const added = await finishPasskey(await createPasskey(offer.data), field(form, 'name'))
    if (!added.ok) return withNeed(failed(previous, form, added.message), added.needs)
    return succeeded(previous, `${added.data.name} is ready. You can sign in with it now.`)
  } catch (error) {
    const message =
      error instanceof PasskeyError
        ? error.message
        : 'Beak could not be reached. Check your connection and try again.'
    return failed(previous, form, message)
  }
}

function withNeed(state: FormState, needs: Need | undefined): FormState {
  return needs === undefined ? state : { ...state, needs }
}

interface AddPasskeyProps {
  /** The default name of the passkey, at most 64 characters. */
  suggestedName: string
  kind?: 'primary' | 'plain'
}

/** A form that adds a passkey of this device. The API asks for a recent proof, and the form then asks the person for it. */
export function AddPasskey({ suggestedName, kind = 'primary' }: AddPasskeyProps) {
  const router = useRouter()
  return (
    <ActionForm
      label="Add a passkey"
      resets
      action={async (previous: FormState, form) => {
        const state = await addPasskey(previous, form)
        if (state.status === 'succeeded') router.refresh()
        return state
      }}
    >
      <TextField
        label="Passkey name"
        name="name"
        hint="Helps you tell your passkeys apart."
        defaultValue={suggestedName}
        maxLength={64}
        autoComplete="off"
        optional
      />
      <SubmitButton kind={kind} pending="Waiting for your device…">
        Add a passkey
      </SubmitButton>
    </ActionForm>
  )
}
