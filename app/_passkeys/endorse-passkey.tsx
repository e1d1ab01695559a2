'use client'

import { AnnouncedForm } from '@/components/ui/announcements'
import type { ButtonKind } from '@/components/ui/button-class'
import { endorsePasskey } from './endorse-action'
import { PasskeySubmit } from './passkey-submit'

interface EndorsePasskeyProps {
  passkeyId: string
  name: string
  kind?: ButtonKind
  onDone?: () => void
}

/** Asks an older passkey to vouch for this one. A closed prompt changes nothing. */
export function EndorsePasskey({ passkeyId, name, kind = 'plain', onDone }: EndorsePasskeyProps) {
  return (
    <AnnouncedForm
      label={`Vouch for ${name}`}
      action={async (previous, form) => {
        const state = await endorsePasskey(previous, form)
        if (state.status === 'succeeded') onDone?.()
        return state
      }}
    >
      <input type="hidden" name="passkey_id" value={passkeyId} />
      <PasskeySubmit challenge={{ purpose: 'endorse', passkey_id: passkeyId }} kind={kind}>
        <span className={kind === 'quiet' ? '-ms-1 text-start' : ''}>
          Let another of your passkeys vouch for it<span className="visually-hidden">: {name}</span>
        </span>
      </PasskeySubmit>
    </AnnouncedForm>
  )
}
