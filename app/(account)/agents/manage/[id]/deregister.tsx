'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm } from '@/components/ui/form'
import type { FormState } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { deregisterAgent } from '../../actions'

interface DeregisterProps {
  agentId: string
  agentName: string
  isLive: boolean
  /** Says what ends together with the agent. */
  children: ReactNode
}

/** Deregisters an agent and then shows what ended with it. The message stays after the form is gone. */
export function Deregister({ agentId, agentName, isLive, children }: DeregisterProps) {
  const [result, setResult] = useState<string | null>(null)
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (result !== null) message.current?.focus()
  }, [result])
  async function deregister(previous: FormState, form: FormData) {
    const state = await deregisterAgent(previous, form)
    if (state.status === 'succeeded') setResult(state.message)
    return state
  }
  if (result !== null)
    return (
      <p
        ref={message}
        tabIndex={-1}
        role="status"
        className="rounded-control bg-good-wash px-4 py-3 text-sm text-good"
      >
        <KeptText text={result} />
      </p>
    )
  if (!isLive) return m.agents_deregistered()
  return (
    <Confirm
      trigger={m.agents_deregister_agent()}
      title={<Sentence of={m.agents_deregister_question} with={{ agentName }} />}
      text={children}
    >
      <ActionForm action={deregister} label={m.agents_deregister_named({ agentName })}>
        <input type="hidden" name="agent_id" value={agentId} />
        <ConfirmButtons>{m.agents_deregister_permanently()}</ConfirmButtons>
      </ActionForm>
    </Confirm>
  )
}
