'use client'

import { useState } from 'react'
import type { FormState } from '@/app/_web/form'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { rotateSecret, type WebhookSecret } from '../actions'
import { SecretOnce } from '../secret'

/** A new secret beside the old one. What it answers with outlives the dialog that asked for it, and nothing else. */
export function RotateSecret({ webhookId }: { webhookId: string }) {
  const [secrets, setSecrets] = useState<string[]>([])
  async function rotate(previous: FormState<WebhookSecret>, form: FormData) {
    const answer = await rotateSecret(previous, form)
    const { data } = answer
    if (answer.status === 'succeeded' && data) setSecrets((earlier) => [...earlier, data.secret])
    return answer
  }
  const newest = secrets.at(-1)
  return (
    <div className="grid min-w-0 gap-5">
      {newest ? (
        <SecretOnce key={secrets.length} secret={newest} title="The new secret, shown this once" />
      ) : null}
      <div>
        <Confirm
          key={secrets.length}
          trigger={newest ? 'Rotate it once more' : 'Rotate the secret'}
          triggerKind="plain"
          title="Rotate the secret?"
          text="For 24 hours every message is signed with both, so nothing is lost while you change over. A second rotation within that time ends the oldest one at once."
        >
          <ActionForm action={rotate} label="Rotate the secret">
            <input type="hidden" name="webhook_id" value={webhookId} />
            <SubmitButton kind="danger" pending="Rotating …">
              Rotate it now
            </SubmitButton>
          </ActionForm>
        </Confirm>
      </div>
    </div>
  )
}
