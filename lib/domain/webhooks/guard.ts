/**
 * Keeps webhooks from reaching inside (security bar, item 71): at create and update in words for the owner, and again at
 * every delivery, where the addresses judged are the very ones connected to, so that a name cannot change its mind in
 * between. Names are asked of DNS directly: `getaddrinfo` would read our hosts file and search domains, and a slow name
 * server would hold a thread that password hashing needs. `WEBHOOK_ALLOW_PRIVATE` switches all of it off.
 */
import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { config } from '@/lib/kernel/config'
import { fail } from '@/lib/kernel/failures'
import { isInNetworks, type Network, parseAddress } from '@/lib/kernel/ip-address'

/** Spec silent: the ports a receiver may listen on. */
const ports = ['', '443', '8443']
/** Creating an endpoint waits no longer than this for a name; the delivery judges it anyway. */
const patienceMs = 3_000

/** Global unicast. All other IPv6 addresses are forbidden: mapped IPv4, NAT64, unique local, link-local, multicast … */
const globalV6: Network[] = [[ipaddr.parse('2000::'), 3]]

/** Tells whether webhooks must not go to an address. True also for text that is not an address. */
export function isForbidden(text: string): boolean {
  const address = parseAddress(text)
  // `unicast` is what no special-purpose registry of IANA lists.
  if (address?.range() !== 'unicast') return true
  return address.kind() === 'ipv6' && !isInNetworks(text, globalV6)
}

/** Returns the address in a URL without the brackets of IPv6, or null for a name. WHATWG URL has converted other spellings. */
function addressIn(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) === 0 ? null : host
}

const inside = 'must not lead to a private, loopback, link-local or otherwise special address'

/** What is wrong with a URL before any name is looked up, in words for its owner; null when nothing is. */
export function faultOf(text: string): string | null {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  const isOpen = config().webhookAllowPrivate
  if (url.protocol !== 'https:' && !(isOpen && url.protocol === 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment'
  if (isOpen) return null
  if (!ports.includes(url.port)) return 'must use port 443 or 8443'
  const address = addressIn(url)
  if (address !== null) return isForbidden(address) ? inside : null
  // RFC 6761, section 6.3: these names are loopback whatever DNS says.
  return /(^|\.)localhost\.?$/.test(url.hostname) ? inside : null
}

/** The addresses DNS has for a name, IPv4 first; none when it does not resolve. */
async function resolveName(name: string): Promise<{ address: string; family: 4 | 6 }[]> {
  const [v4, v6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
  const found = (answer: typeof v4, family: 4 | 6) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  return [...found(v4, 4), ...found(v6, 6)]
}

/**
 * Judges the URL of a new or changed endpoint. Throws `invalid_request` naming `url`. Asks DNS: not inside a transaction.
 * Spec silent: a name that does not resolve now is accepted, because a receiver may be set up after its endpoint.
 */
export async function checkUrl(text: string): Promise<void> {
  const fault = faultOf(text) ?? (await leadsInside(new URL(text)))
  if (fault !== null) throw fail('invalid_request', { errors: [{ field: 'url', message: fault }] })
}

async function leadsInside(url: URL): Promise<string | null> {
  if (config().webhookAllowPrivate || addressIn(url) !== null) return null
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never[]>((resolve) => {
    timer = setTimeout(() => resolve([]), patienceMs)
  })
  const addresses = await Promise.race([resolveName(url.hostname), tooLong])
  clearTimeout(timer)
  return addresses.some(({ address }) => isForbidden(address)) ? inside : null
}

/** Why a connection was not even tried. */
export class Refusal extends Error {
  constructor(readonly code: 'EBLOCKED' | 'ENOTFOUND') {
    super(code)
    this.name = 'Refusal'
  }
}

/** The lookup of a guarded connection: one forbidden address among a name's addresses forbids the name. */
export const guardedLookup: LookupFunction = (name, options, callback) => {
  resolveName(name).then(
    (addresses) => {
      const [first] = addresses
      if (first === undefined) return callback(new Refusal('ENOTFOUND'), '', 0)
      if (addresses.some(({ address }) => isForbidden(address)))
        return callback(new Refusal('EBLOCKED'), '', 0)
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    },
    () => callback(new Refusal('ENOTFOUND'), '', 0),
  )
}
