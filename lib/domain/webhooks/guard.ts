/**
 * Keeps webhooks from reaching inside (security bar, item 71): at create and update in words for the owner, and again at
 * every delivery, where the addresses judged are the very ones connected to, so that a name cannot change its mind in
 * between. Names are asked of DNS directly: `getaddrinfo` would read our hosts file and search domains, and a slow name
 * server would hold a thread that password hashing needs. `WEBHOOK_ALLOW_PRIVATE` switches all of it off.
 */
import { promises as dns } from 'node:dns'
import { BlockList, isIPv4, isIPv6, type LookupFunction } from 'node:net'
import { config } from '@/lib/kernel/config'
import type { Fails } from '@/lib/kernel/context'

/** Spec silent: the ports a receiver may listen on. */
const ports = ['', '443', '8443']
/** Creating an endpoint waits no longer than this for a name; the delivery judges it anyway. */
const patienceMs = 3_000

function networks(family: 'ipv4' | 'ipv6', entries: string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/** IANA's special-purpose registry: this network, private, shared, loopback, link-local, protocol, test, relay, multicast … */
const forbiddenV4 = networks('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])

/**
 * Global unicast; whatever is outside (mapped and compatible IPv4, NAT64, unique local, link-local, multicast …) is
 * forbidden without being named.
 */
const globalV6 = networks('ipv6', ['2000::/3'])
/** Teredo and other protocol assignments, documentation, 6to4, AS112. */
const forbiddenV6 = networks('ipv6', [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])

/** Whether an address is one no webhook may go to. What is not an address is forbidden too. */
export function isForbidden(address: string): boolean {
  if (isIPv4(address)) return forbiddenV4.check(address, 'ipv4')
  if (isIPv6(address)) return !globalV6.check(address, 'ipv6') || forbiddenV6.check(address, 'ipv6')
  return true
}

/** An address in a URL, without the brackets of IPv6; null for a name. WHATWG URL has undone every other spelling. */
function addressIn(url: URL): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return isIPv4(host) || isIPv6(host) ? host : null
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
export async function checkUrl(context: Fails<'invalid_request'>, text: string): Promise<void> {
  const fault = faultOf(text) ?? (await leadsInside(new URL(text)))
  if (fault !== null) throw context.fail('invalid_request', { errors: [{ field: 'url', message: fault }] })
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
