'use client'

import { useEffect, useState } from 'react'
import { Refresh } from '@/components/refresh'
import { Sentence } from '@/components/sentence'
import { BrowserTime } from '@/components/ui/browser-time'
import { CopyBlock } from '@/components/ui/copy'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { type Handshake, type Issued, renewHandshake } from './actions'
import { type Bonding, bondCommand, claudeCommand, settingsBlock } from './commands'
import { IssuedSecrets } from './issued-secrets'
import { ProgramChoice } from './program-choice'
import { type ProgramId, programOf } from './programs'

interface ConnectAgentProps {
  issued: Issued
  handshake: Handshake
}

/**
 * What connects an agent: one command or one block for the program that the owner chooses. When the handshake expires, a form for a new one
 * replaces it. Refreshes until the agent has bonded.
 */
export function ConnectAgent({ issued, handshake }: ConnectAgentProps) {
  const [program, setProgram] = useState<ProgramId>(issued.program ?? 'own')
  const [isCopied, setIsCopied] = useState(false)
  const isExpired = useIsExpired(handshake)
  if (isExpired)
    return (
      <NewHandshake issued={issued}>
        <p className="text-sm">{m.agents_handshake_expired_note()}</p>
      </NewHandshake>
    )
  const hasKey = issued.beakKey !== undefined
  return (
    <div className="grid min-w-0 gap-4">
      <ProgramChoice chosen={program} onChoose={setProgram} />
      <HowToConnect
        program={program}
        issued={issued}
        handshake={handshake}
        onCopied={hasKey ? () => setIsCopied(true) : undefined}
      />
      {hasKey ? <IssuedSecrets issued={{ ...issued, handshake }} isCopied={isCopied} /> : null}
      <p className="text-sm text-soft">
        <Sentence
          of={m.agents_handshake_until}
          parts={{ time: () => <BrowserTime at={handshake.expiresAt} /> }}
        />
      </p>
      <Refresh />
    </div>
  )
}

interface HowToConnectProps extends ConnectAgentProps {
  program: ProgramId
  /** Called when a text with the key was copied. */
  onCopied?: (() => void) | undefined
}

function HowToConnect({ program, issued, handshake, onCopied }: HowToConnectProps) {
  const { baseUrl, agentId, beakKey = m.agents_your_key_here() } = issued
  const bonding: Bonding = { baseUrl, agentId, handshakeToken: handshake.token }
  const block = settingsBlock(program, bonding, beakKey)
  if (block === null)
    return (
      <>
        <CopyBlock
          label={m.agents_run_command()}
          text={program === 'claude' ? claudeCommand(bonding) : bondCommand(bonding)}
          copyLabel={m.agents_copy_command()}
          isExpanded
        />
        <p className="text-sm text-soft">{m.agents_run_command_hint()}</p>
      </>
    )
  const { file, text } = block
  return (
    <>
      <CopyBlock
        label={
          file === undefined ? (
            m.agents_mcp_settings_label()
          ) : (
            <Sentence of={m.agents_add_to_file} with={{ file }} />
          )
        }
        text={text}
        copyLabel={m.agents_copy_block()}
        isExpanded
        {...(onCopied === undefined ? {} : { onCopied })}
      />
      <p className="text-sm text-soft">
        {file === undefined
          ? m.agents_add_to_settings_hint()
          : m.agents_add_to_file_hint({ program: programOf(program).label() })}
      </p>
    </>
  )
}

interface NewHandshakeProps {
  /** With the key, when the page still has it. */
  issued: Pick<Issued, 'agentId' | 'agentName' | 'beakKey' | 'program'>
  children: React.ReactNode
}

/** Creates another handshake and shows how to connect the agent with it. */
export function NewHandshake({ issued, children }: NewHandshakeProps) {
  const { agentId, agentName, beakKey, program } = issued
  const known = { ...(beakKey === undefined ? {} : { beakKey }), ...(program ? { program } : {}) }
  return (
    <ActionForm
      action={renewHandshake}
      label={m.agents_create_a_new_handshake()}
      after={({ data, turn }) =>
        data?.handshake ? (
          <ConnectAgent key={turn} issued={{ ...data, ...known }} handshake={data.handshake} />
        ) : null
      }
    >
      {children}
      <input type="hidden" name="agent_id" value={agentId} />
      <input type="hidden" name="agent_name" value={agentName} />
      <SubmitButton kind="plain">{m.agents_create_a_new_handshake()}</SubmitButton>
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
