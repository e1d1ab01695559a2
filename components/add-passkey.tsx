'use client'

import { useRouter } from 'next/navigation'
import { done, type FormState, field, halted } from '@/lib/web/form'
import { finishPasskey, startPasskey } from '@/lib/web/passkey-actions'
import { FreshSignIn } from './fresh-sign-in'
import { createPasskey, PasskeyTrouble } from './passkey-ceremony'
import { ActionForm, SubmitButton, TextField } from './ui/form'

interface Freshness {
  freshSignIn?: boolean
}

/** The whole ceremony: ask, make, keep. */
async function addPasskey(previous: FormState<Freshness>, form: FormData): Promise<FormState<Freshness>> {
  try {
    const offer = await startPasskey()
    if (!offer.ok) return halted(previous, form, offer.message, { freshSignIn: offer.freshSignIn })
    const kept = await finishPasskey(await createPasskey(offer.data), field(form, 'name'))
    if (!kept.ok) return halted(previous, form, kept.message, { freshSignIn: kept.freshSignIn })
    return done(previous, `${kept.data.name} is ready: it signs you in from now on.`)
  } catch (error) {
    const message =
      error instanceof PasskeyTrouble ? error.message : 'Beak could not be reached. Try again in a moment.'
    return halted(previous, form, message)
  }
}

interface AddPasskeyProps {
  /** The page to come back to after a fresh sign-in. */
  next: string
  /** What the passkey is called unless its owner says otherwise, at most 64 characters. */
  suggestedName: string
  kind?: 'primary' | 'plain'
}

/** Adds a passkey of this device, and says what came of it. Needs a sign-in at most ten minutes old, and leads to one. */
export function AddPasskey({ next, suggestedName, kind = 'primary' }: AddPasskeyProps) {
  const router = useRouter()
  return (
    <ActionForm
      label="Add a passkey"
      resets
      action={async (previous: FormState<Freshness>, form) => {
        const state = await addPasskey(previous, form)
        if (state.status === 'done') router.refresh()
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
      <FreshSignIn next={next} />
    </ActionForm>
  )
}
