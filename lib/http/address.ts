/**
 * Finds the address of the client: the address of the socket, or, behind trusted proxies, the right-most `X-Forwarded-For`
 * entry that is not a trusted proxy. A client cannot change the result with headers of its own.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { config } from '@/lib/kernel/config'
import { isInNetworks, limitKeyOf, normalAddress } from '@/lib/kernel/request/host-name'
import { singleton } from '@/lib/kernel/runtime/singleton'
import type { Call } from './call'

/**
 * Next does not pass the socket on to pages, so our server writes its address into this header, with a password that only this
 * process knows. A header from a client lacks that password and is ignored.
 */
export const peerHeader = 'x-beak-peer'
const password = () => singleton('peer.password', () => randomBytes(24).toString('base64url'))

/** Headers that proxies, tunnels and hosting services add to a request that they forward. */
const forwardingHeaders =
  /^(forwarded|via|x-forwarded(-.+)?|x-original-.+|x-real-ip|x-(cluster-)?client-ip|x-proxyuser-ip|true-client-ip|cdn-loop|(cf|fastly|fly|tailscale|x-amz|x-amzn|x-appengine|x-arr|x-azure|x-envoy|x-vercel)-.+)$/i

/**
 * Whether a header shows that a proxy forwarded the request. Takes Node's `rawHeaders`, because Next adds some of these names
 * to direct requests too.
 */
function isForwarded(rawHeaders: string[]): boolean {
  return rawHeaders.some((name, index) => index % 2 === 0 && forwardingHeaders.test(name))
}

/** Returns the value of the peer header: password, whether a proxy forwarded the request, and the address of the socket. */
export function peerHeaderValue(address: string, rawHeaders: string[]): string {
  return `${password()} ${isForwarded(rawHeaders) ? 'forwarded' : 'direct'} ${address}`
}

interface Peer {
  address: string
  isDirect: boolean
}

/** Returns the peer that our own server wrote into the header, or null when the header is missing or has the wrong password. */
export function verifiedPeer(headers: Call['headers']): Peer | null {
  const [given = '', way, address = ''] = (headers[peerHeader] ?? '').split(' ')
  const expected = Buffer.from(password())
  const actual = Buffer.from(given)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null
  return { address, isDirect: way === 'direct' }
}

/** Whether a request came from this machine and without a proxy. False without a valid peer header. */
export function isDirectFromThisMachine(headers: Headers): boolean {
  const peer = verifiedPeer({ [peerHeader]: headers.get(peerHeader) ?? undefined })
  const address = parseAddress(peer?.address ?? '')
  return peer?.isDirect === true && (address === '::1' || address?.startsWith('127.') === true)
}

/**
 * Returns the canonical form of an address, or null when the text is not an address. Removes zone and port (some proxies write a
 * port into `X-Forwarded-For`), and returns IPv4-mapped IPv6 addresses as IPv4.
 */
function parseAddress(text: string): string | null {
  return normalAddress(text) ?? normalAddress(bareAddress(text))
}

function bareAddress(text: string): string {
  return text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .toLowerCase()
}

/** Returns the client's address, or null when there is no socket (a bare `next start` without trusted proxies). */
export function clientAddress({ peer, headers }: Pick<Call, 'peer' | 'headers'>): string | null {
  const proxies = config().trustedProxies
  const socket = parseAddress(peer ?? '')
  if (proxies === null || (socket !== null && !isInNetworks(socket, proxies))) return socket
  for (const hop of (headers['x-forwarded-for'] ?? '').split(',').reverse()) {
    const address = parseAddress(hop)
    // A trusted proxy writes addresses only, so the client may have written this entry and those to its left.
    if (address === null) break
    if (!isInNetworks(address, proxies)) return address
  }
  return socket
}

/** Returns the key of a rate limit: the IPv4 address, or the /64 of an IPv6 address, because one host may use a whole /64. */
export function limitKey(address: string | null): string {
  return address === null ? 'unknown' : limitKeyOf(address)
}
