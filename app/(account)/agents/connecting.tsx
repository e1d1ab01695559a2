'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Bond, type BondState } from '@/components/bond'
import { ButtonLink } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'
import type { Issued } from './actions'
import { ConnectAgent } from './connect-agent'
import { GoOnAtComputer } from './go-on-at-computer'
import { IssuedSecrets } from './issued-secrets'
import { TestRequest } from './test-request'

interface ConnectingProps {
  issued: Issued
  operatorId: string
  state: BondState
  /** QR code of the inbox, for people who decide on their phone. */
  inboxQr: ReactNode
  /** Whether the page offers to go on at a computer. */
  offersComputer?: boolean
}

/** An agent with a new key: how to connect it, and, once it has bonded, a test request. */
export function Connecting({ issued, operatorId, state, inboxQr, offersComputer = false }: ConnectingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { handshake, ...withoutHandshake } = issued
  const { agentId, agentName } = issued
  const isBonded = state === 'bonded'
  return (
    <div className="grid min-w-0 gap-8">
      <header>
        <Bond operatorId={operatorId} agentId={agentId} state={state} size={72} />
        <h1 ref={heading} tabIndex={-1} className="mt-5 wrap-anywhere">
          {isBonded ? m.agents_is_connected({ agentName }) : m.agents_is_registered({ agentName })}
        </h1>
        <p className="mt-2 max-w-2xl text-soft" role="status">
          {isBonded ? m.agents_it_can_now_act_for_you() : m.agents_connect_within_hour()}
        </p>
      </header>
      {isBonded ? (
        <>
          <Connected {...{ agentId, agentName, inboxQr }} />
          {issued.beakKey === undefined ? null : (
            <details>
              <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
                {m.agents_key_alone()}
              </summary>
              <IssuedSecrets issued={withoutHandshake} isCopied />
            </details>
          )}
        </>
      ) : null}
      {handshake && state === 'registered' ? (
        <>
          {offersComputer ? <GoOnAtComputer baseUrl={issued.baseUrl} agentName={agentName} /> : null}
          <section aria-labelledby="connect" className="min-w-0">
            <h2 id="connect" className="mb-4 wrap-anywhere">
              {m.agents_connect_it({ agentName })}
            </h2>
            <ConnectAgent issued={issued} handshake={handshake} />
          </section>
        </>
      ) : null}
    </div>
  )
}

interface ConnectedProps {
  agentId: string
  agentName: string
  inboxQr: ReactNode
}

/** What comes after the agent has bonded. */
export function Connected({ agentId, agentName, inboxQr }: ConnectedProps) {
  return (
    <div className="grid gap-6">
      <TestRequest agentId={agentId} agentName={agentName} inboxQr={inboxQr} isPrimary />
      <p>
        <ButtonLink href={`/agents/manage/${agentId}`}>{m.agents_view_agent()}</ButtonLink>
      </p>
    </div>
  )
}
