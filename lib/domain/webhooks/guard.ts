/**
 * Keeps webhooks away from private addresses (security bar, check-71). Create and update check the URL and explain the fault to the
 * owner. Every delivery checks again and connects only to the addresses that it has checked, so DNS rebinding has no effect.
 * Names are resolved by DNS queries and not by `getaddrinfo`, which reads the hosts file and search domains, and blocks a thread that
 * password hashing needs. `WEBHOOK_ALLOW_PRIVATE` allows private addresses, for development, and `CHANNEL_HOSTS` those of some hosts for
 * channels, but no metadata and no link-local address.
 */
import dns, { type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { parseUrl } from '@beak/decision/parse-url'
import ipaddr from 'ipaddr.js'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { Fails } from '@/lib/kernel/request/context'
import { isInNetworks, type Network, parseAddress, parseNetwork } from '@/lib/kernel/request/host-name'

/** Host names that may have private addresses, plain http and any port: those of `CHANNEL_HOSTS`, for channels. */
export type PrivateHosts = ReadonlySet<string>
const noHosts: PrivateHosts = new Set()

/** The ports a receiver may listen on. */
const ports = ['', '443', '8443']
/** How long create and update wait for DNS. Every delivery checks the addresses anyway. */
const resolveTimeoutMs = 3_000

/** Global unicast. All other IPv6 addresses are forbidden: mapped IPv4, NAT64, unique local, link-local, multicast … */
const globalV6: Network[] = [[ipaddr.parse('2000::'), 3]]

/**
 * What no setting allows: link-local and unspecified addresses, and the addresses where cloud hosts serve credentials to their machines. The
 * caller of the API chooses the URL, so a service on such a machine would hand them out.
 */
const neverAllowed = [
  '0.0.0.0/8',
  '100.100.100.200',
  '169.254.0.0/16',
  '192.0.0.192',
  '::',
  'fd00:ec2::254',
  'fe80::/10',
]
  .map(parseNetwork)
  .filter((network) => network !== null)

/** Names that cloud hosts resolve to their metadata address. */
const metadataNames = /^(?:metadata(?:\.google\.internal|\.goog)?|instance-data(?:\.ec2\.internal)?)\.?$/

/** Where an IPv6 address has an IPv4 address: IPv4-mapped, IPv4-compatible, NAT64 (RFC 6052) and 6to4 (RFC 3056). */
const embedded: [start: string, bits: number, firstGroup: number][] = [
  ['::ffff:0:0', 96, 6],
  ['::', 96, 6],
  ['64:ff9b::', 96, 6],
  ['64:ff9b:1::', 48, 6],
  ['2002::', 16, 1],
]

/** Tells whether webhooks must not go to an address, whatever the host allows. True also for text that is not an address. */
function isNeverAllowed(text: string): boolean {
  const address = parseAddress(text)
  if (address === null || isInNetworks(text, neverAllowed)) return true
  if (!(address instanceof ipaddr.IPv6)) return false
  const { parts } = address
  return embedded.some(([start, bits, first]) => {
    if (!isInNetworks(text, [[ipaddr.parse(start), bits]])) return false
    const [high = 0, low = 0] = parts.slice(first, first + 2)
    // `::1` is the loopback address and no IPv4 address.
    if (high === 0 && start === '::') return false
    return isInNetworks([high >> 8, high & 255, low >> 8, low & 255].join('.'), neverAllowed)
  })
}

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

function isMetadata(url: URL): boolean {
  const address = addressIn(url)
  return address === null ? metadataNames.test(url.hostname) : isNeverAllowed(address)
}

/** Whether a URL may lead to a private address, to any port and without TLS. */
export function allowsPrivate(url: URL, privateHosts: PrivateHosts): boolean {
  return config().webhookAllowPrivate || privateHosts.has(url.hostname)
}

/** Returns what is wrong with a URL, as a field message, or null. Does not use DNS. */
export function findUrlFault(text: string, privateHosts = noHosts): string | null {
  const url = parseUrl(text)
  if (url === null) return m.field_must_be_a_url()
  const isPrivateAllowed = allowsPrivate(url, privateHosts)
  if (url.protocol !== 'https:' && !(isPrivateAllowed && url.protocol === 'http:'))
    return m.field_webhook_https_needed()
  if (url.username !== '' || url.password !== '') return m.field_webhook_url_credentials()
  if (text.includes('#')) return m.field_must_not_contain_a_fragment()
  if (isPrivateAllowed) return isMetadata(url) ? m.field_webhook_metadata_address() : null
  if (!ports.includes(url.port)) return m.field_webhook_port()
  const address = addressIn(url)
  if (address !== null) return isForbiddenAddress(address) ? m.field_webhook_private_address() : null
  // RFC 6761, section 6.3: these names always mean the loopback address.
  return /(^|\.)localhost\.?$/.test(url.hostname) ? m.field_webhook_private_address() : null
}

/** Returns the addresses of a name, IPv4 first. The list is empty when the name does not resolve. */
async function resolveName(name: string): Promise<{ address: string; family: 4 | 6 }[]> {
  const [v4, v6] = await Promise.allSettled([dns.promises.resolve4(name), dns.promises.resolve6(name)])
  const found = (answer: typeof v4, family: 4 | 6) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  return [...found(v4, 4), ...found(v6, 6)]
}

/**
 * Checks the URL of a new or changed endpoint. Throws `invalid_request` for the field `url`, or another one. Queries DNS, so it must not be
 * called inside a transaction.
 * Accepts a name that does not resolve yet, because the receiver may be set up later.
 */
export async function checkUrl(
  context: Fails<'invalid_request'>,
  text: string,
  { field, privateHosts } = { field: 'url', privateHosts: noHosts },
): Promise<void> {
  const fault = findUrlFault(text, privateHosts) ?? (await findAddressFault(new URL(text), privateHosts))
  if (fault !== null) throw context.fail('invalid_request', { errors: [{ field, message: fault }] })
}

async function findAddressFault(url: URL, privateHosts: PrivateHosts): Promise<string | null> {
  if (addressIn(url) !== null) return null
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never[]>((resolve) => {
    timer = setTimeout(() => resolve([]), resolveTimeoutMs)
  })
  const addresses = await Promise.race([resolveName(url.hostname), timeout])
  clearTimeout(timer)
  const [isRefused, fault] = allowsPrivate(url, privateHosts)
    ? [isNeverAllowed, m.field_webhook_metadata_address]
    : [isForbiddenAddress, m.field_webhook_private_address]
  return addresses.some(({ address }) => isRefused(address)) ? fault() : null
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

/** Resolves a name as other programs do, for `WEBHOOK_ALLOW_PRIVATE`. Fails when any address of the name is never allowed. */
export const developmentLookup: LookupFunction = (name, options, callback) => {
  dns.lookup(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (error !== null || first === undefined) return callback(new LookupError('ENOTFOUND'), '', 0)
    if (addresses.some(({ address }) => isNeverAllowed(address)))
      return callback(new LookupError('EBLOCKED'), '', 0)
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}
