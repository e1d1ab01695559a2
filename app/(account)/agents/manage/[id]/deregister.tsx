'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FormState } from '@/app/_web/form'
import { Confirm } from '@/components/ui/confirm'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Section } from '@/components/ui/surface'
import { deregisterAgent } from '../../actions'

type Farewell = { farewell: string }

interface DeregisterProps {
  agentId: string
  agentName: string
  isLive: boolean
  /** What goes down with it. */
  children: ReactNode
}

/** Ends an agent for good, and says afterwards what went with it. */
export function Deregister({ agentId, agentName, isLive, children }: DeregisterProps) {
  const [farewell, setFarewell] = useState<string | null>(null)
  const said = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (farewell !== null) said.current?.focus()
  }, [farewell])
  async function end(previous: FormState<Farewell>, form: FormData) {
    const answer = await deregisterAgent(previous, form)
    if (answer.status === 'succeeded' && answer.data) setFarewell(answer.data.farewell)
    return answer
  }
  if (farewell !== null)
    return (
      <p
        ref={said}
        tabIndex={-1}
        role="status"
        className="mb-10 rounded-control bg-good-wash px-4 py-3 text-sm text-good"
      >
        {farewell}
      </p>
    )
  if (!isLive) return null
  return (
    <Section id="end" title="Deregister" lead="When it has done its work, or should never work again.">
      <Confirm trigger="Deregister it" title={`Deregister ${agentName}?`} text={children}>
        <ActionForm action={end} label={`Deregister ${agentName}`}>
          <input type="hidden" name="agent_id" value={agentId} />
          <SubmitButton kind="danger">Deregister it for good</SubmitButton>
        </ActionForm>
      </Confirm>
    </Section>
  )
}
