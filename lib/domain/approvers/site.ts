/** The site of an approver: which addresses can be one, and how its passkeys name it (docs/approver.md). */
import type { RelyingParty } from '@/lib/domain/passkeys/relying-party'
import { config } from '@/lib/kernel/config'

/** Returns how the passkeys of an approver name its site. */
export function approverSite(origin: string): Pick<RelyingParty, 'id' | 'origin'> {
  return { id: new URL(origin).hostname, origin }
}

/** Returns why an address cannot be the origin of an approver, or null. */
export function originFault(text: string): string | null {
  if (!URL.canParse(text) || new URL(text).origin !== text)
    return 'must be an origin such as https://approve.example, without a path'
  const { protocol, hostname } = new URL(text)
  const isLocal = hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    return 'must begin with https://, except for a host below localhost'
  if (/^[\d.]+$|:/.test(hostname)) return 'must have a host name, because passkeys do not know addresses'
  const service = new URL(config().baseUrl).hostname
  if (service === hostname || service.endsWith(`.${hostname}`))
    return 'must be another site than this service, or else a page of this service could use its passkeys'
  return null
}
