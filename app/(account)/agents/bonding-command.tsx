'use client'

import { useEffect, useState } from 'react'
import { Refresh } from '@/components/refresh'
import { BrowserTime } from '@/components/ui/browser-time'
import { CopyBlock } from '@/components/ui/copy'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { type Handshake, type Issued, renewHandshake } from './actions'
import { bondCommand } from './commands'

interface BondingCommandProps {
  issued: Issued
  handshake: Handshake
}

/** The command that bonds an agent. When the handshake expires, a form for a new one replaces it. Refreshes until the agent bonds. */
export function BondingCommand({ issued, handshake }: BondingCommandProps) {
  const isExpired = useIsExpired(handshake)
  const { baseUrl, agentId, beakKey } = issued
  if (isExpired)
    return (
      <NewHandshake agentId={agentId} agentName={issued.agentName} beakKey={beakKey}>
        <p className="text-sm">The handshake has expired. The key is still valid.</p>
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
      <CopyBlock label="Run this on the agent's machine" text={command} copyLabel="Copy command" isExpanded />
      <p className="text-sm text-soft">
        The handshake works once, until <BrowserTime at={handshake.expiresAt} />. This page updates when the
        agent has bonded.
        {beakKey === undefined ? (
          <>
            {' '}
            The command reads the key from <code>BEAK_KEY</code>.
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
  /** Included in the command when the page still has it. */
  beakKey?: string | undefined
  children: React.ReactNode
}

/** Creates another handshake and shows the command with it. */
export function NewHandshake({ agentId, agentName, beakKey, children }: NewHandshakeProps) {
  return (
    <ActionForm
      action={renewHandshake}
      label="Create a new handshake"
      after={({ data, turn }) =>
        data?.handshake ? (
          <BondingCommand
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
      <SubmitButton kind="plain">Create a new handshake</SubmitButton>
    </ActionForm>
  )
}

function useIsExpired({ seconds }: Handshake): boolean {
  const [isExpired, setIsExpired] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsExpired(true), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return isExpired
}
