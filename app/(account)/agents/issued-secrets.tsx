'use client'

import { ShownOnce } from '@/components/shown-once'
import { BrowserTime } from '@/components/ui/browser-time'
import type { Issued } from './actions'
import { envFile } from './commands'

interface IssuedSecretsProps {
  issued: Issued
  title: string
  /** The agent has used the secrets, so they are stored somewhere. */
  isInUse: boolean
  /** Leaves the focus where it is. */
  keepsFocus?: boolean
}

/** Shows an agent's new key once, with its handshake if it has one. */
export function IssuedSecrets({ issued, title, isInUse, keepsFocus = false }: IssuedSecretsProps) {
  const { beakKey = '', keyExpiresAt } = issued
  // A handshake is used up when the agent bonds.
  const handshake = isInUse ? undefined : issued.handshake
  return (
    <ShownOnce
      title={title}
      isInUse={isInUse}
      keepsFocus={keepsFocus}
      secrets={[
        { label: 'Beak key', text: beakKey, copyLabel: 'Copy key' },
        ...(handshake
          ? [
              {
                label: 'Handshake',
                text: handshake.token,
                copyLabel: 'Copy handshake',
                isRenewable: true,
              },
            ]
          : []),
      ]}
      file={{
        name: `${fileName(issued.agentName)}.env`,
        text: envFile({
          baseUrl: issued.baseUrl,
          agentId: issued.agentId,
          beakKey,
          ...(handshake ? { handshakeToken: handshake.token } : {}),
        }),
      }}
    >
      We store only a hash of the key, so we can't show it again.
      {keyExpiresAt ? (
        <>
          {' '}
          It works until <BrowserTime at={keyExpiresAt} dateOnly />.
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
