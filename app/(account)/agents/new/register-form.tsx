'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Bond, type BondState } from '@/components/bond'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm } from '@/components/ui/form'
import { type Issued, registerAgent } from '../actions'
import { BondIt } from '../bond-it'
import { IssuedSecrets } from '../issued-secrets'

interface RegisterFormProps {
  operatorId: string
  /** The state of each of the operator's agents, as of the last look. */
  states: Record<string, BondState>
  /** The page's head and the fields. */
  children: ReactNode
}

/** The form, and once it has been answered: what the new agent was given, and how it bonds. */
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
            ? 'It acts with you behind it from now on, within what you allowed.'
            : 'Give it its key, and let it bond within the hour. Until then it can do nothing.'}
        </p>
        {isBonded ? (
          <p className="mt-6">
            <ButtonLink kind="primary" href={`/agents/manage/${agentId}`}>
              See what it can ask
            </ButtonLink>
          </p>
        ) : null}
      </header>
      <IssuedSecrets issued={issued} title="Shown this once" isInUse={isBonded} isBelowFocus />
      {handshake && state === 'registered' ? (
        <section aria-labelledby="bond" className="min-w-0">
          <h2 id="bond">Bond it</h2>
          <p className="mt-1 mb-5 max-w-2xl text-soft">
            The agent shows its key and the handshake. That is the whole ceremony.
          </p>
          <BondIt issued={issued} handshake={handshake} />
        </section>
      ) : null}
    </div>
  )
}
