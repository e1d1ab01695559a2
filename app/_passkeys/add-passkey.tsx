'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useState } from 'react'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { type FormState, failed, field, type Need, succeeded } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import { type AddedPasskey, finishPasskey, startPasskey } from './actions'
import { createPasskey, PasskeyError } from './ceremony'
import { EndorsePasskey } from './endorse-passkey'

/** Runs the whole ceremony: gets a challenge, creates the passkey, registers it. */
async function addPasskey(
  previous: FormState<AddedPasskey>,
  form: FormData,
): Promise<FormState<AddedPasskey>> {
  try {
    const offer = await startPasskey()
    if (!offer.ok) return withNeed(failed(previous, form, offer.message), offer.needs)
    const added = await finishPasskey(await createPasskey(offer.data), field(form, 'name'))
    if (!added.ok) return withNeed(failed(previous, form, added.message), added.needs)
    return succeeded(
      previous,
      keptText(m.passkeys_name_is_ready_you_can_sign, { name: added.data.name }),
      added.data,
    )
  } catch (error) {
    const message = error instanceof PasskeyError ? error.message : m.common_unreachable()
    return failed(previous, form, message)
  }
}

function withNeed<T>(state: FormState<T>, needs: Need | undefined): FormState<T> {
  return needs === undefined ? state : { ...state, needs }
}

interface AddPasskeyProps {
  /** The default name of the passkey, at most 64 characters. */
  suggestedName: string
  /** Whether the person may change the name. A first passkey needs no name to be told from others. */
  asksName?: boolean
  kind?: 'primary' | 'plain'
  /** The person has another passkey, which can vouch for the new one. */
  hasOlder?: boolean
}

/**
 * A form that adds a passkey of this device. The API asks for a recent proof, and the form then asks the person for it. After that, an older
 * passkey can vouch for the new one.
 */
export function AddPasskey({
  suggestedName,
  asksName = true,
  kind = 'primary',
  hasOlder = false,
}: AddPasskeyProps) {
  const router = useRouter()
  const [added, setAdded] = useState<AddedPasskey | null>(null)
  return (
    <div className="grid gap-5">
      <ActionForm
        label={m.passkeys_add_a_passkey()}
        resets
        action={async (previous: FormState<AddedPasskey>, form) => {
          setAdded(null)
          const state = await addPasskey(previous, form)
          if (state.status === 'succeeded') {
            setAdded(hasOlder ? (state.data ?? null) : null)
            router.refresh()
          }
          return state
        }}
      >
        {asksName ? (
          <TextField
            label={m.passkeys_passkey_name()}
            name="name"
            hint={m.passkeys_helps_you_tell_your_passkeys_apart()}
            defaultValue={suggestedName}
            maxLength={64}
            autoComplete="off"
            optional
          />
        ) : (
          <input type="hidden" name="name" value={suggestedName} />
        )}
        <SubmitButton kind={kind} pending={m.passkeys_waiting_for_your_device()}>
          {m.passkeys_add_a_passkey()}
        </SubmitButton>
      </ActionForm>
      {added === null ? null : (
        <div data-vouching className="grid gap-3 rounded-control bg-sunken px-4 py-4 text-sm">
          <p>{m.passkeys_why_vouch()}</p>
          <EndorsePasskey
            passkeyId={added.passkey_id}
            name={added.name}
            onDone={() => startTransition(() => setAdded(null))}
          />
        </div>
      )}
    </div>
  )
}
