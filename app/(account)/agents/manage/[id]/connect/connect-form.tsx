'use client'

import { type ReactNode, useState } from 'react'
import { Bond, type BondState } from '@/components/bond'
import { Refresh } from '@/components/refresh'
import { Sentence } from '@/components/sentence'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import type { FormState } from '@/components/ui/form-state'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { type Issued, makeKey } from '../../../actions'
import { Connected, Connecting } from '../../../connecting'
import { ProgramChoice } from '../../../program-choice'
import type { ProgramId } from '../../../programs'
import { statusTexts } from '../../../words'

interface ConnectFormProps {
  agentId: string
  agentName: string
  operatorId: string
  state: BondState
  /** The program that the agent probably is. */
  program: ProgramId
  inboxQr: ReactNode
}

/** Makes a key on this device and shows how to connect the agent with it. An agent that has bonded can be tested. */
export function ConnectForm({ agentId, agentName, operatorId, state, program, inboxQr }: ConnectFormProps) {
  const [issued, setIssued] = useState<Issued | null>(null)
  async function make(previous: FormState<Issued>, form: FormData) {
    const answer = await makeKey(previous, form)
    if (answer.status === 'succeeded') setIssued(answer.data ?? null)
    return answer
  }
  if (issued !== null) return <Connecting {...{ issued, operatorId, state, inboxQr }} />
  const isBonded = state === 'bonded'
  return (
    <>
      <div className="mb-5">
        <Bond operatorId={operatorId} agentId={agentId} state={state} size={72} />
      </div>
      <PageHead
        title={
          isBonded ? (
            <Sentence of={m.agents_is_connected} with={{ agentName }} />
          ) : (
            <Sentence of={m.agents_connect_it} with={{ agentName }} />
          )
        }
        lead={state === 'registered' ? m.agents_connect_lead() : statusTexts[state].explanation}
      />
      {isBonded ? <Connected {...{ agentId, agentName, inboxQr }} /> : null}
      {state === 'registered' ? (
        <ActionForm action={make} label={m.agents_connect_it({ agentName })}>
          <ProgramChoice chosen={program} />
          <input type="hidden" name="agent_id" value={agentId} />
          <input type="hidden" name="agent_name" value={agentName} />
          <p className="text-sm wrap-anywhere">
            <Sentence of={m.agents_make_block_warning} with={{ agentName }} />
          </p>
          <p>
            <SubmitButton>{m.agents_make_block()}</SubmitButton>
          </p>
          <Refresh />
        </ActionForm>
      ) : null}
    </>
  )
}
