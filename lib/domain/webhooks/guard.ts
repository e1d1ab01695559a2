/**
 * Keeps webhooks away from private addresses (security bar, item 71). Create and update check the URL and explain the fault to the
 * owner. Every delivery checks again and connects only to the addresses that it has checked, so DNS rebinding has no effect.
 * Names are resolved by DNS queries and not by `getaddrinfo`, which reads the hosts file and search domains, and blocks a thread that
 * password hashing needs. `WEBHOOK_ALLOW_PRIVATE` disables all checks of addresses.
 */
import { promises as dns } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { config } from '@/lib/kernel/config'
import type { Fails } from '@/lib/kernel/context'
import { isInNetworks, type Network, parseAddress } from '@/lib/kernel/ip-address'

/** The ports a receiver may listen on (contract C, Webhooks). */
const ports = ['', '443', '8443']
/** How long create and update wait for DNS. Every delivery checks the addresses anyway. */
const resolveTimeoutMs = 3_000

/** Global unicast. All other IPv6 addresses are forbidden: mapped IPv4, NAT64, unique local, link-local, multicast … */
const globalV6: Network[] = [[ipaddr.parse('2000::'), 3]]

/** Tells whether webhooks must not go to an address. True also for text that is not an address. */
export function isForbiddenAddress(text: string): boolean {
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

const privateAddress = 'must not lead to a private, loopback, link-local or otherwise special address'

/** Returns what is wrong with a URL, as a field message, or null. Does not use DNS. */
export function findUrlFault(text: string): string | null {
  if (!URL.canParse(text)) return 'must be a URL'
  const url = new URL(text)
  const allowsPrivate = config().webhookAllowPrivate
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (text.includes('#')) return 'must not contain a fragment'
  if (allowsPrivate) return null
  if (!ports.includes(url.port)) return 'must use port 443 or 8443'
  const address = addressIn(url)
  if (address !== null) return isForbiddenAddress(address) ? privateAddress : null
  // RFC 6761, section 6.3: these names always mean the loopback address.
  return /(^|\.)localhost\.?$/.test(url.hostname) ? privateAddress : null
}

/** Returns the addresses of a name, IPv4 first. The list is empty when the name does not resolve. */
async function resolveName(name: string): Promise<{ address: string; family: 4 | 6 }[]> {
  const [v4, v6] = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
  const found = (answer: typeof v4, family: 4 | 6) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  return [...found(v4, 4), ...found(v6, 6)]
}

/**
 * Checks the URL of a new or changed endpoint. Throws `invalid_request` for the field `url`. Queries DNS, so it must not be called
 * inside a transaction.
 * Accepts a name that does not resolve yet, because the receiver may be set up later (contract G).
 */
export async function checkUrl(context: Fails<'invalid_request'>, text: string): Promise<void> {
  const fault = findUrlFault(text) ?? (await findAddressFault(new URL(text)))
  if (fault !== null) throw context.fail('invalid_request', { errors: [{ field: 'url', message: fault }] })
}

async function findAddressFault(url: URL): Promise<string | null> {
  if (config().webhookAllowPrivate || addressIn(url) !== null) return null
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never[]>((resolve) => {
    timer = setTimeout(() => resolve([]), resolveTimeoutMs)
  })
  const addresses = await Promise.race([resolveName(url.hostname), timeout])
  clearTimeout(timer)
  return addresses.some(({ address }) => isForbiddenAddress(address)) ? privateAddress : null
}

/** Thrown when a name does not resolve or has a forbidden address, so that no connection is opened. */
class LookupError extends Error {
  constructor(readonly code: 'EBLOCKED' | 'ENOTFOUND') {
    super(code)
    this.name = 'LookupError'
  }
}

/** Resolves a name for a connection. Fails when any address of the name is forbidden. */
export const guardedLookup: LookupFunction = (name, options, callback) => {
  resolveName(name).then(
    (addresses) => {
      const [first] = addresses
      if (first === undefined) return callback(new LookupError('ENOTFOUND'), '', 0)
      if (addresses.some(({ address }) => isForbiddenAddress(address)))
        return callback(new LookupError('EBLOCKED'), '', 0)
      if (options.all) return callback(null, addresses)
      return callback(null, first.address, first.family)
    },
    () => callback(new LookupError('ENOTFOUND'), '', 0),
  )
}
