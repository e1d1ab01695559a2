'use client'

import { useState } from 'react'
import type { BondState } from '@/components/bond'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import type { FormState } from '@/components/ui/form-state'
import { type Issued, rotateKey } from '../../actions'
import { BondingCommand } from '../../bonding-command'
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
          <IssuedSecrets issued={newest} title="New key, shown only once" isInUse={false} />
          {newest.handshake && status === 'registered' ? (
            <BondingCommand issued={newest} handshake={newest.handshake} />
          ) : null}
        </div>
      ) : null}
      <div>
        <Confirm
          key={issued.length}
          trigger={newest ? 'Rotate again' : 'Rotate key'}
          triggerKind="plain"
          title={`Rotate the key of ${agentName}?`}
          text="The current key stops working immediately, wherever it is used. The new key is shown only once."
        >
          <ActionForm action={rotate} label={`Rotate the key of ${agentName}`}>
            <input type="hidden" name="agent_id" value={agentId} />
            <input type="hidden" name="agent_name" value={agentName} />
            <TextField
              label="Days until the new key expires"
              name="expires_in_days"
              type="number"
              inputMode="numeric"
              min={1}
              max={365}
              defaultValue={defaultDays}
              className="max-w-32 tabular-nums"
              hint="From 1 to 365. Shorter is safer."
            />
            <SubmitButton kind="danger" pending="Rotating …">
              Rotate now
            </SubmitButton>
          </ActionForm>
        </Confirm>
      </div>
    </div>
  )
}
