'use client'

import { useState } from 'react'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm } from '@/components/ui/form'
import type { FormState } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
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
      {newest ? (
        <NewSecret key={secrets.length} secret={newest} title={m.webhooks_new_secret_shown_only_once()} />
      ) : null}
      <div>
        <Confirm
          key={secrets.length}
          trigger={newest ? m.webhooks_rotate_again() : m.webhooks_rotate_secret()}
          triggerKind="plain"
          title={m.webhooks_rotate_the_secret()}
          text={m.webhooks_rotate_secret_warning()}
        >
          <ActionForm action={rotate} label={m.webhooks_rotate_form_label()}>
            <input type="hidden" name="webhook_id" value={webhookId} />
            <ConfirmButtons pending={m.webhooks_rotating()}>{m.webhooks_rotate_now()}</ConfirmButtons>
          </ActionForm>
        </Confirm>
      </div>
    </div>
  )
}
