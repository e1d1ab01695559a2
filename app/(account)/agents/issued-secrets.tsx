'use client'

import { ShownOnce } from '@/components/shown-once'
import { Time } from '@/components/ui/time'
import type { Issued } from './actions'
import { envFile } from './commands'

interface IssuedSecretsProps {
  issued: Issued
  title: string
  /** The agent has shown that it has them. */
  isInUse: boolean
  isBelowFocus?: boolean
}

/** An agent's new key, with the handshake that belongs to it if there is one. */
export function IssuedSecrets({ issued, title, isInUse, isBelowFocus = false }: IssuedSecretsProps) {
  const { beakKey = '', keyExpiresAt } = issued
  // Once the agent has bonded, it is spent.
  const handshake = isInUse ? undefined : issued.handshake
  return (
    <ShownOnce
      title={title}
      isInUse={isInUse}
      isBelowFocus={isBelowFocus}
      secrets={[
        { label: 'Beak key', text: beakKey, copyLabel: 'Copy the key' },
        ...(handshake
          ? [
              {
                label: 'Handshake',
                text: handshake.token,
                copyLabel: 'Copy the handshake',
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
      We keep only what it takes to recognise the key, so nobody can show it again.
      {keyExpiresAt ? (
        <>
          {' '}
          It works until <Time at={keyExpiresAt} dateOnly />.
        </>
      ) : null}
    </ShownOnce>
  )
}

/** An agent's name as a file's. */
function fileName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-|-$/g, '') || 'agent'
}
