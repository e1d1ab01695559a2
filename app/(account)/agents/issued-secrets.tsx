'use client'

import { Sentence } from '@/components/sentence'
import { ShownOnce } from '@/components/shown-once'
import { BrowserTime } from '@/components/ui/browser-time'
import { m } from '@/lib/kernel/messages'
import type { Issued } from './actions'
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
      {m.agents_key_help()} {m.agents_we_store_only_hash_key_so()}
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
