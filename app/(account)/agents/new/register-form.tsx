'use client'

import type { ReactNode } from 'react'
import type { BondState } from '@/components/bond'
import { ActionForm } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { registerAgent } from '../actions'
import { Connecting } from '../connecting'

interface RegisterFormProps {
  operatorId: string
  /** The status of each of the operator's agents when the page was last rendered. */
  states: Record<string, BondState>
  inboxQr: ReactNode
  /** The head of the page and the fields. */
  children: ReactNode
}

/** The form for a new agent. After success, it shows how to connect the agent. */
export function RegisterForm({ operatorId, states, inboxQr, children }: RegisterFormProps) {
  return (
    <ActionForm
      action={registerAgent}
      label={m.agents_register_an_agent()}
      after={({ data }) =>
        data ? (
          <Connecting
            issued={data}
            operatorId={operatorId}
            state={states[data.agentId] ?? 'registered'}
            inboxQr={inboxQr}
            offersComputer
          />
        ) : null
      }
    >
      {children}
    </ActionForm>
  )
}
