'use client'

import { ShownOnce } from '@/components/shown-once'
import { m } from '@/lib/kernel/messages'

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
      secrets={[{ label: m.webhooks_secret(), text: secret, copyLabel: m.webhooks_copy_secret() }]}
      file={{ name: 'beak-webhook.env', text: `BEAK_WEBHOOK_SECRET=${secret}\n` }}
      keepsFocus={keepsFocus}
    >
      {m.webhooks_new_secret_warning()}
    </ShownOnce>
  )
}
