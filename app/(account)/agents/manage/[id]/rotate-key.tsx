'use client'

import { useState } from 'react'
import type { BondState } from '@/components/bond'
import { Sentence } from '@/components/sentence'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm, TextField } from '@/components/ui/form'
import type { FormState } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { type Issued, rotateKey } from '../../actions'
import { ConnectAgent } from '../../connect-agent'
import { IssuedSecrets } from '../../issued-secrets'

interface RotateKeyProps {
  agentId: string
  agentName: string
  status: BondState
  defaultDays: number
}

/** Rotates the key. The new key stays on the page after the dialog closes, until the page is left. */
export function RotateKey({ agentId, agentName, status, defaultDays }: RotateKeyProps) {
  const [issued, setIssued] = useState<Issued[]>([])
  async function rotate(previous: FormState<Issued>, form: FormData) {
    const state = await rotateKey(previous, form)
    const { data } = state
    if (state.status === 'succeeded' && data) setIssued((earlier) => [...earlier, data])
    return state
  }
  const newest = issued.at(-1)
  return (
    <div className="grid min-w-0 gap-5">
      {newest ? (
        <div key={issued.length} className="grid min-w-0 gap-5">
          {newest.handshake && status === 'registered' ? (
            <ConnectAgent issued={newest} handshake={newest.handshake} />
          ) : (
            <IssuedSecrets issued={newest} keepsFocus={false} />
          )}
        </div>
      ) : null}
      <div>
        <Confirm
          key={issued.length}
          trigger={newest ? m.agents_rotate_again() : m.agents_rotate_key()}
          triggerKind="plain"
          title={<Sentence of={m.agents_rotate_question} with={{ agentName }} />}
          text={m.agents_rotate_key_warning()}
        >
          <ActionForm action={rotate} label={m.agents_rotate_named({ agentName })}>
            <input type="hidden" name="agent_id" value={agentId} />
            <input type="hidden" name="agent_name" value={agentName} />
            <TextField
              label={m.agents_days_until_the_new_key_expires()}
              name="expires_in_days"
              type="number"
              inputMode="numeric"
              min={1}
              max={365}
              defaultValue={defaultDays}
              className="max-w-32 tabular-nums"
              hint={m.agents_from_1_365_shorter_is_safer()}
            />
            <ConfirmButtons pending={m.agents_rotating()}>{m.agents_rotate_now()}</ConfirmButtons>
          </ActionForm>
        </Confirm>
      </div>
    </div>
  )
}
