'use client'

import { ShownOnce } from '@/components/shown-once'

interface NewSecretProps {
  secret: string
  title: string
  /** Leaves the focus where it is. */
  keepsFocus?: boolean
}

/** Shows a new secret of a webhook once. */
export function NewSecret({ secret, title, keepsFocus = false }: NewSecretProps) {
  return (
    <ShownOnce
      title={title}
      secrets={[{ label: 'Secret', text: secret, copyLabel: 'Copy secret' }]}
      file={{ name: 'beak-webhook.env', text: `BEAK_WEBHOOK_SECRET=${secret}\n` }}
      keepsFocus={keepsFocus}
    >
      Every message is signed with this secret. Anyone who knows it can pretend to be us, so store it with
      your other secrets.
    </ShownOnce>
  )
}
