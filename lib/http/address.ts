/**
 * Whose request it is, as far as the network tells: the socket's address, or, where the socket is a trusted proxy's, the
 * right-most `X-Forwarded-For` entry that is not one (contract A). Whatever a client writes into headers changes nothing.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { config } from '@/lib/kernel/config'
import { isInNetworks, limitKeyOf, normalAddress } from '@/lib/kernel/ip-address'
import { singleton } from '@/lib/kernel/singleton'
import type { Call } from './call'

/**
 * Requests that go through Next lose their socket, so our server names it in this header, with a password of this process:
 * a header a client sends cannot pass for it.
 */
export const peerHeader = 'x-beak-peer'
const password = () => singleton('peer.password', () => randomBytes(24).toString('base64url'))

/** Headers by which proxies, tunnels and hosts say that they passed a request on. */
const forwardingHeaders =
  /^(forwarded|via|x-forwarded(-.+)?|x-original-.+|x-real-ip|x-(cluster-)?client-ip|x-proxyuser-ip|true-client-ip|cdn-loop|(cf|fastly|fly|tailscale|x-amz|x-amzn|x-appengine|x-arr|x-azure|x-envoy|x-vercel)-.+)$/i

/**
 * Whether the headers say that a proxy passed the request on. `rawHeaders` are Node's, before Next adds some of these names
 * to requests that came straight from a browser.
 */
function isForwarded(rawHeaders: string[]): boolean {
  return rawHeaders.some((name, index) => index % 2 === 0 && forwardingHeaders.test(name))
}

/** The header's value for a request: the address of its socket, and whether a proxy passed it on. */
export function peerProof(address: string, rawHeaders: string[]): string {
  return `${password()} ${isForwarded(rawHeaders) ? 'forwarded' : 'direct'} ${address}`
}

interface Peer {
  address: string
  isDirect: boolean
}

/** Returns the peer that our own server has put into the header; null when nobody or somebody else did. */
export function provenPeer(headers: Call['headers']): Peer | null {
  const [proof = '', way, address = ''] = (headers[peerHeader] ?? '').split(' ')
  const expected = Buffer.from(password())
  const given = Buffer.from(proof)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return { address, isDirect: way === 'direct' }
}

/** Whether a request came from this machine, with no header of a proxy. False where our server did not say so. */
export function isDirectFromHere(headers: Headers): boolean {
  const peer = provenPeer({ [peerHeader]: headers.get(peerHeader) ?? undefined })
  const address = addressIn(peer?.address ?? '')
  return peer?.isDirect === true && (address === '::1' || address?.startsWith('127.') === true)
}

/**
 * One spelling for one address, or null for what is none: no zone, no port (some proxies write one into
 * `X-Forwarded-For`), and IPv4 addresses that arrived on an IPv6 socket in their own form.
 */
function addressIn(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  return normalAddress(bare.toLowerCase())
}

/** Returns the client's address, or null when it cannot be known (a bare `next start` without trusted proxies). */
export function clientAddress({ peer, headers }: Pick<Call, 'peer' | 'headers'>): string | null {
  const proxies = config().trustedProxies
  const socket = addressIn(peer ?? '')
  if (proxies === null || (socket !== null && !isInNetworks(socket, proxies))) return socket
  for (const hop of (headers['x-forwarded-for'] ?? '').split(',').reverse()) {
    const address = addressIn(hop)
    // What stands left of an unreadable entry was written by nobody we know.
    if (address === null) break
    if (!isInNetworks(address, proxies)) return address
  }
  return socket
}

/** What limits count by: the address, or for IPv6 its /64, since one host has all of that. */
export function limitKey(address: string | null): string {
  return address === null ? 'unknown' : limitKeyOf(address)
}
