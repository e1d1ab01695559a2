'use client'

import { ShownOnce } from '@/components/shown-once'

/** An endpoint's new secret. */
export function SecretOnce({
  secret,
  title,
  isBelowFocus,
}: {
  secret: string
  title: string
  isBelowFocus?: boolean
}) {
  return (
    <ShownOnce
      title={title}
      secrets={[{ label: 'Secret', text: secret, copyLabel: 'Copy the secret' }]}
      file={{ name: 'beak-webhook.env', text: `BEAK_WEBHOOK_SECRET=${secret}\n` }}
      isBelowFocus={isBelowFocus ?? false}
    >
      Every message is signed with it. Whoever knows it can pretend to be us, so it belongs where your other
      secrets are.
    </ShownOnce>
  )
}
