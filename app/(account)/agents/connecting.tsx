'use client'

import { Mail, Monitor } from 'lucide'
import { type ReactNode, useEffect, useRef } from 'react'
import { Bond, type BondState } from '@/components/bond'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { CopyButton } from '@/components/ui/copy'
import { Icon } from '@/components/ui/icon'
import { m } from '@/lib/kernel/messages'
import type { Issued } from './actions'
import { ConnectAgent } from './connect-agent'
import { IssuedSecrets, TestRequest } from './issued-secrets'

interface GoOnAtComputerProps {
  baseUrl: string
  agentName: string
}

/**
 * Leads from a phone to the computer on which the agent runs. The address holds no secret and names no agent: the computer signs in, and its
 * page makes a key of its own. So nothing that is worth stealing goes from one device to the other.
 */
function GoOnAtComputer({ baseUrl, agentName }: GoOnAtComputerProps) {
  const address = `${baseUrl}/connect`
  const mail = new URLSearchParams({ subject: m.agents_mail_subject({ agentName }), body: address })
  return (
    <section
      aria-labelledby="computer"
      className="grid gap-3 rounded-card border border-edge bg-surface p-5 sm:hidden"
    >
      <h2 id="computer" className="flex items-center gap-2 text-lg">
        <Icon of={Monitor} size={20} className="shrink-0" />
        {m.agents_go_on_at_computer()}
      </h2>
      <p className="text-sm text-soft">{m.agents_computer_open_hint()}</p>
      <p translate="no" className="font-mono text-lg font-semibold wrap-anywhere">
        {address.replace(/^https?:\/\//, '')}
      </p>
      <p className="flex flex-wrap gap-3">
        {/* A program for mails reads no "+" as a space. */}
        <a className={buttonClass('plain')} href={`mailto:?${mail.toString().replaceAll('+', '%20')}`}>
          <Icon of={Mail} size={16} />
          {m.agents_send_address()}
        </a>
        <CopyButton text={address} label={m.agents_copy_address()} />
      </p>
    </section>
  )
}

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
          {isBonded ? (
            <Sentence of={m.agents_is_connected} with={{ agentName }} />
          ) : (
            <Sentence of={m.agents_is_registered} with={{ agentName }} />
          )}
        </h1>
        <p className="mt-2 max-w-2xl text-soft" role="status">
          {isBonded ? m.agents_it_can_now_act_for_you() : m.agents_connect_deadline_note()}
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
              <Sentence of={m.agents_connect_it} with={{ agentName }} />
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
