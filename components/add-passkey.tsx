'use client'

import { useRouter } from 'next/navigation'
import { type FormState, failed, field, type Need, succeeded } from '@/app/_web/form'
import { finishPasskey, startPasskey } from '@/app/_web/passkey-actions'
import { createPasskey, PasskeyTrouble } from './passkey-ceremony'
import { ActionForm, SubmitButton, TextField } from './ui/form'

/** The whole ceremony: ask, make, keep. */
async function addPasskey(previous: FormState, form: FormData): Promise<FormState> {
  try {
    const offer = await startPasskey()
    if (!offer.ok) return needing(failed(previous, form, offer.message), offer.needs)
    const kept = await finishPasskey(await createPasskey(offer.data), field(form, 'name'))
    if (!kept.ok) return needing(failed(previous, form, kept.message), kept.needs)
    return succeeded(previous, `${kept.data.name} is ready: it signs you in from now on.`)
  } catch (error) {
    const message =
      error instanceof PasskeyTrouble ? error.message : 'Beak could not be reached. Try again in a moment.'
    return failed(previous, form, message)
  }
}

function needing(state: FormState, needs: Need | undefined): FormState {
  return needs === undefined ? state : { ...state, needs }
}

interface AddPasskeyProps {
  /** What the passkey is called unless its owner says otherwise, at most 64 characters. */
  suggestedName: string
  kind?: 'primary' | 'plain'
}

/** Adds a passkey of this device, and says what came of it. Needs a recent proof, which the form around it asks for. */
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
        label="Name of the passkey"
        name="name"
        hint="So that you know it again among others."
        defaultValue={suggestedName}
        maxLength={64}
        autoComplete="off"
        optional
      />
      <SubmitButton kind={kind} pending="Waiting for your device …">
        Add a passkey
      </SubmitButton>
    </ActionForm>
  )
}
