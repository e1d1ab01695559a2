'use client'

import { useState } from 'react'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import type { FormState } from '@/components/ui/form-state'
import { rotateSecret, type WebhookSecret } from '../actions'
import { NewSecret } from '../new-secret'

/** Rotates the secret. The new secret stays on the page after the dialog closes, until the page is left. */
export function RotateSecret({ webhookId }: { webhookId: string }) {
  const [secrets, setSecrets] = useState<string[]>([])
  async function rotate(previous: FormState<WebhookSecret>, form: FormData) {
    const state = await rotateSecret(previous, form)
    const { data } = state
    if (state.status === 'succeeded' && data) setSecrets((earlier) => [...earlier, data.secret])
    return state
  }
  const newest = secrets.at(-1)
  return (
    <div className="grid min-w-0 gap-5">
      {newest ? <NewSecret key={secrets.length} secret={newest} title="New secret, shown only once" /> : null}
      <div>
        <Confirm
          key={secrets.length}
          trigger={newest ? 'Rotate again' : 'Rotate secret'}
          triggerKind="plain"
          title="Rotate the secret?"
          text="For 24 hours, messages are signed with both secrets, so you can switch without losing any. If you rotate again in that time, the oldest secret stops working immediately."
        >
          <ActionForm action={rotate} label="Rotate the secret">
            <input type="hidden" name="webhook_id" value={webhookId} />
            <SubmitButton kind="danger" pending="Rotating …">
              Rotate now
            </SubmitButton>
          </ActionForm>
        </Confirm>
      </div>
    </div>
  )
}
