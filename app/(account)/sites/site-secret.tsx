'use client'

import { ShownOnce } from '@/components/shown-once'
import { m } from '@/lib/kernel/messages'
import type { SiteSecret } from './actions'

/** Shows what the library of a site needs, with the secret, once. */
export function SecretOfSite({ site: { clientId, secret }, issuer }: { site: SiteSecret; issuer: string }) {
  const file = [
    `BEAK_ISSUER=${issuer}`,
    `BEAK_CLIENT_ID=${clientId}`,
    `BEAK_CLIENT_SECRET=${secret}`,
    '',
  ].join('\n')
  return (
    <ShownOnce
      title={m.sites_secret_title()}
      secrets={[
        { label: 'client_id', text: clientId, copyLabel: m.sites_copy_id() },
        { label: 'client_secret', text: secret, copyLabel: m.sites_copy_secret() },
      ]}
      file={{ name: 'beak-site.env', text: file }}
    >
      {m.sites_secret_body()}
    </ShownOnce>
  )
}
