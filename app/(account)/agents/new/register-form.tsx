'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Bond, type BondState } from '@/components/bond'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm } from '@/components/ui/form'
import { type Issued, registerAgent } from '../actions'
import { BondingCommand } from '../bonding-command'
import { IssuedSecrets } from '../issued-secrets'

interface RegisterFormProps {
  operatorId: string
  /** The status of each of the operator's agents when the page was last rendered. */
  states: Record<string, BondState>
  /** The head of the page and the fields. */
  children: ReactNode
}

/** The form for a new agent. After success, it shows the agent's secrets and the command that bonds it. */
export function RegisterForm({ operatorId, states, children }: RegisterFormProps) {
  return (
    <ActionForm
      action={registerAgent}
      label="Register an agent"
      after={({ data }) =>
        data ? (
          <Registered issued={data} operatorId={operatorId} state={states[data.agentId] ?? 'registered'} />
        ) : null
      }
    >
      {children}
    </ActionForm>
  )
}

interface RegisteredProps {
  issued: Issued
  operatorId: string
  state: BondState
}

function Registered({ issued, operatorId, state }: RegisteredProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { agentId, agentName, handshake } = issued
  const isBonded = state === 'bonded'
  return (
    <div className="grid min-w-0 gap-10">
      <header>
        <Bond operatorId={operatorId} agentId={agentId} state={state} size={88} />
        <h1 ref={heading} tabIndex={-1} className="mt-6 wrap-anywhere">
          {isBonded ? `${agentName} has bonded` : `${agentName} is registered`}
        </h1>
        <p className="mt-2 max-w-2xl text-soft" role="status">
          {isBonded
            ? 'It can now act for you within its capabilities.'
            : "Give the agent its key and let it bond within one hour. Until then, it can't do anything."}
        </p>
        {isBonded ? (
          <p className="mt-6">
            <ButtonLink kind="primary" href={`/agents/manage/${agentId}`}>
              View agent
            </ButtonLink>
          </p>
        ) : null}
      </header>
      <IssuedSecrets issued={issued} title="Shown only once" isInUse={isBonded} keepsFocus />
      {handshake && state === 'registered' ? (
        <section aria-labelledby="bond" className="min-w-0">
          <h2 id="bond">Bond the agent</h2>
          <p className="mt-1 mb-5 max-w-2xl text-soft">
            Run this command once. It sends the agent's key and the handshake.
          </p>
          <BondingCommand issued={issued} handshake={handshake} />
        </section>
      ) : null}
    </div>
  )
}
