/** The site of an approver: which addresses can be one, and how its passkeys name it (docs/approver.md). */
import type { RelyingParty } from '@/lib/domain/passkeys/relying-party'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'

/** Returns how the passkeys of an approver name its site. */
export function approverSite(origin: string): Pick<RelyingParty, 'id' | 'origin'> {
  return { id: new URL(origin).hostname, origin }
}

/** Returns why an address cannot be the origin of an approver, or null. */
export function originFault(text: string): string | null {
  if (!URL.canParse(text) || new URL(text).origin !== text) return m.field_must_be_origin_such_as_https()
  const { protocol, hostname } = new URL(text)
  const isLocal = hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    return m.field_must_begin_with_https_except_for()
  if (/^[\d.]+$|:/.test(hostname)) return m.field_must_have_host_name_because_passkeys()
  const service = new URL(config().baseUrl).hostname
  if (service === hostname || service.endsWith(`.${hostname}`))
    return m.field_must_be_another_site_than_this()
  return null
}
