'use client'

import { Sentence } from '@/components/sentence'
import { AnnouncedForm } from '@/components/ui/announcements'
import type { ButtonKind } from '@/components/ui/button-class'
import { m } from '@/lib/kernel/messages'
import { endorsePasskey } from './actions'
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
      label={m.passkeys_vouch_for_name({ name })}
      action={async (previous, form) => {
        const state = await endorsePasskey(previous, form)
        if (state.status === 'succeeded') onDone?.()
        return state
      }}
    >
      <input type="hidden" name="passkey_id" value={passkeyId} />
      <PasskeySubmit challenge={{ purpose: 'endorse', passkey_id: passkeyId }} kind={kind}>
        <span className={kind === 'quiet' ? '-ms-1 text-start' : ''}>
          <Sentence
            of={m.passkeys_endorse_with_another}
            with={{ name }}
            parts={{ span: (children) => <span className="visually-hidden">{children}</span> }}
          />
        </span>
      </PasskeySubmit>
    </AnnouncedForm>
  )
}
