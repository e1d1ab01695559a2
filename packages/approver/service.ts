/** The service that a message comes from, and whether this page may answer it. */
import { registrableDomain } from '@beak/decision/display/domain'
import type { ApproverMessage } from './messages'
import { Refused } from './refused'

export interface Service {
  issuer: string
  /** With its port, in ASCII. */
  host: string
  /** The part of the host that somebody registered. Null for hosts without one, such as `localhost`. */
  domain: string | null
}

/** Names for this computer, whose traffic leaves it on no network. */
const isLocal = (hostname: string) => /^(localhost|127\.0\.0\.1|\[::1\])$|\.localhost$/.test(hostname)

/** Whether a browser opens exactly this address, so that nothing in it is hidden or has another form. */
const isPlain = (address: string, { href }: URL) => href === address || href === `${address}/`

function readAddress(address: string): URL | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname))
  const isBare = url.username === '' && url.password === '' && url.hash === ''
  return isSafe && isBare && isPlain(address, url) ? url : null
}

/** A host with a dot at its end is the same host. */
const plainHost = (hostname: string) => hostname.replace(/\.+$/, '')

/** Whether pages of a host may use passkeys of another host: it is the same one, or below it. */
function mayUsePasskeysOf(host: string, other: string): boolean {
  const [own, given] = [plainHost(host), plainHost(other)]
  return own === given || own.endsWith(`.${given}`)
}

/** Returns the service of a message. `origin`: of this page. Throws `Refused`. */
export function readService(message: ApproverMessage, origin: string): Service {
  const issuer = readAddress(message.issuer)
  if (issuer === null || issuer.search !== '') throw new Refused('service_address')
  if (readAddress(message.return)?.origin !== issuer.origin) throw new Refused('return_address')
  if (mayUsePasskeysOf(issuer.hostname, new URL(origin).hostname)) throw new Refused('same_site')
  const domain = registrableDomain({ type: 'url', text: message.issuer })
  return { issuer: message.issuer, host: issuer.host, domain }
}

/** Returns the domain that the service and this page share, so that one owner may control both, or null. */
export function sharedDomain({ domain }: Service, origin: string): string | null {
  return domain !== null && domain === registrableDomain({ type: 'url', text: origin }) ? domain : null
}

/** Whether an approver can be at an origin: nobody on the way can change the page. */
export function isApproverOrigin(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || (protocol === 'http:' && plainHost(hostname).endsWith('.localhost'))
}
