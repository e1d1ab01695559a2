'use client'

import { useState } from 'react'
import type { FormState } from '@/app/_web/form'
import type { BondState } from '@/components/bond'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton, TextField } from '@/components/ui/form'
import { type Issued, rotateKey } from '../../actions'
import { BondIt } from '../../bond-it'
import { IssuedSecrets } from '../../issued-secrets'

interface RotateKeyProps {
  agentId: string
  agentName: string
  state: BondState
  defaultDays: number
}

/** A new key for the old one. What it answers with outlives the dialog that asked for it, and nothing else. */
export function RotateKey({ agentId, agentName, state, defaultDays }: RotateKeyProps) {
  const [issued, setIssued] = useState<Issued[]>([])
  async function rotate(previous: FormState<Issued>, form: FormData) {
    const answer = await rotateKey(previous, form)
    const { data } = answer
    if (answer.status === 'succeeded' && data) setIssued((earlier) => [...earlier, data])
    return answer
  }
  const newest = issued.at(-1)
  return (
    <div className="grid min-w-0 gap-5">
      {newest ? (
        <div key={issued.length} className="grid min-w-0 gap-5">
          <IssuedSecrets issued={newest} title="The new key, shown this once" isInUse={false} />
          {newest.handshake && state === 'registered' ? (
            <BondIt issued={newest} handshake={newest.handshake} />
          ) : null}
        </div>
      ) : null}
      <div>
        <Confirm
          key={issued.length}
          trigger={newest ? 'Rotate it once more' : 'Rotate the key'}
          triggerKind="plain"
          title={`Rotate the key of ${agentName}?`}
          text="The present key dies at that moment, wherever it is in use. The new one is shown once."
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
              hint="From 1 to 365. Short is safer."
            />
            <SubmitButton kind="danger" pending="Rotating …">
              Rotate it now
            </SubmitButton>
          </ActionForm>
        </Confirm>
      </div>
    </div>
  )
}
