'use client'

import type { ReactNode } from 'react'
import type { BondState } from '@/components/bond'
import { ActionForm, useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { registerAgent } from '../../actions'
import { Connecting } from '../../connecting'

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

/** Fields that few people need. Opens by itself when one of them was refused. */
export function Advanced({ fields, children }: { fields: string[]; children: ReactNode }) {
  const { errors } = useAnswer()
  return (
    <details open={fields.some((name) => errors[name] !== undefined)} className="rounded-control">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
        {m.agents_advanced()}
      </summary>
      <div className="mt-3 grid gap-5">{children}</div>
    </details>
  )
}
