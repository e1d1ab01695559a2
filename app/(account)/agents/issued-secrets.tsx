'use client'

import type { ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { ShownOnce } from '@/components/shown-once'
import { BrowserTime } from '@/components/ui/browser-time'
import { ButtonLink } from '@/components/ui/button'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import { type Issued, sendTestRequest } from './actions'
import { envFile } from './commands'

interface IssuedSecretsProps {
  issued: Issued
  /** The key was copied as a part of something else. */
  isCopied?: boolean
  /** Leaves the focus where it is. */
  keepsFocus?: boolean
}

/** Shows an agent's new key once. The file that it offers also has the handshake. */
export function IssuedSecrets({ issued, isCopied = false, keepsFocus = true }: IssuedSecretsProps) {
  const { baseUrl, agentId, agentName, beakKey = '', keyExpiresAt, handshake } = issued
  return (
    <ShownOnce
      title={m.agents_new_key_shown_only_once()}
      isCopied={isCopied}
      keepsFocus={keepsFocus}
      secrets={[{ label: m.agents_beak_key(), text: beakKey, copyLabel: m.agents_copy_key() }]}
      file={{
        name: `${fileName(agentName)}.env`,
        text: envFile({
          baseUrl,
          agentId,
          beakKey,
          ...(handshake ? { handshakeToken: handshake.token } : {}),
        }),
      }}
    >
      {m.agents_key_help()} {m.agents_key_shown_only_once()}
      {keyExpiresAt ? (
        <>
          {' '}
          <Sentence
            of={m.agents_it_works_until}
            parts={{ browserTime: () => <BrowserTime at={keyExpiresAt} dateOnly /> }}
          />
        </>
      ) : null}
    </ShownOnce>
  )
}

/** Returns the name of an agent as a file name. */
function fileName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-|-$/g, '') || 'agent'
}

interface TestRequestProps {
  agentId: string
  agentName: string
  inboxQr: ReactNode
  /** Whether the test is the next step of the page. */
  isPrimary?: boolean
}

/** Has a test request sent, and then leads to it, on this device or on a phone. */
export function TestRequest({ agentId, agentName, inboxQr, isPrimary = false }: TestRequestProps) {
  return (
    <ActionForm
      action={sendTestRequest}
      label={m.agents_test_send()}
      after={({ data }) =>
        data ? (
          <div className="grid gap-4">
            <p role="status" className="font-semibold wrap-anywhere">
              <Sentence of={m.agents_test_arrived} with={{ agentName }} />
            </p>
            <p>
              <ButtonLink kind="primary" href={`/pecks/${data.peckId}`}>
                {m.agents_test_open()}
              </ButtonLink>
            </p>
            <div className="flex items-center gap-4 text-sm text-soft max-sm:hidden">
              {inboxQr}
              <p className="max-w-xs">{m.agents_test_scan()}</p>
            </div>
          </div>
        ) : null
      }
    >
      <p className="max-w-2xl text-sm text-soft">{m.agents_test_lead()}</p>
      <input type="hidden" name="agent_id" value={agentId} />
      <SubmitButton kind={isPrimary ? 'primary' : 'plain'} pending={m.agents_test_sending()}>
        {m.agents_test_send()}
      </SubmitButton>
    </ActionForm>
  )
}
