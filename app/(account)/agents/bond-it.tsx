'use client'

import { useEffect, useState } from 'react'
import { Refresh } from '@/components/refresh'
import { CopyBlock } from '@/components/ui/copy'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Time } from '@/components/ui/time'
import { type Handshake, type Issued, renewHandshake } from './actions'
import { bondCommand } from './commands'

interface BondItProps {
  issued: Issued
  handshake: Handshake
}

/** The command that bonds an agent, for as long as its handshake holds; then the way to another. Watches for the bond. */
export function BondIt({ issued, handshake }: BondItProps) {
  const isOver = useIsOver(handshake)
  const { baseUrl, agentId, beakKey } = issued
  if (isOver)
    return (
      <NewHandshake agentId={agentId} agentName={issued.agentName} beakKey={beakKey}>
        <p className="text-sm">The handshake has run out. The key is still good.</p>
      </NewHandshake>
    )
  const command = bondCommand({
    baseUrl,
    agentId,
    handshakeToken: handshake.token,
    ...(beakKey === undefined ? {} : { beakKey }),
  })
  return (
    <div className="grid min-w-0 gap-3">
      <CopyBlock
        label="Run this where the agent lives"
        text={command}
        copyLabel="Copy the command"
        isExpanded
      />
      <p className="text-sm text-soft">
        The handshake is good once, until <Time at={handshake.expiresAt} />. This page notices the bond by
        itself.
        {beakKey === undefined ? (
          <>
            {' '}
            The command takes the key from <code>BEAK_KEY</code>.
          </>
        ) : null}
      </p>
      <Refresh />
    </div>
  )
}

interface NewHandshakeProps {
  agentId: string
  agentName: string
  /** Where it is still known, the command names it. */
  beakKey?: string | undefined
  children: React.ReactNode
}

/** Makes another handshake, and shows the command with it. */
export function NewHandshake({ agentId, agentName, beakKey, children }: NewHandshakeProps) {
  return (
    <ActionForm
      action={renewHandshake}
      label="Make a new handshake"
      after={({ data, turn }) =>
        data?.handshake ? (
          <BondIt
            key={turn}
            issued={beakKey === undefined ? data : { ...data, beakKey }}
            handshake={data.handshake}
          />
        ) : null
      }
    >
      {children}
      <input type="hidden" name="agent_id" value={agentId} />
      <input type="hidden" name="agent_name" value={agentName} />
      <SubmitButton kind="plain">Make a new handshake</SubmitButton>
    </ActionForm>
  )
}

function useIsOver({ seconds }: Handshake): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return isOver
}
