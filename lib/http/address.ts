/**
 * Whose request it is, as far as the network tells: the socket's address, or, where the socket is a trusted proxy's, the
 * right-most `X-Forwarded-For` entry that is not one (contract A). Whatever a client writes into headers changes nothing.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { config } from '@/lib/kernel/config'
import { once } from '@/lib/kernel/global'

const peers = new WeakMap<Request, string>()

/** Tells the socket's address of a request that did not come through Next. */
export function setPeer(request: Request, address: string): void {
  peers.set(request, address)
}

/** Carries what is known of one request's socket over to a copy of it. */
export function copyPeer(from: Request, to: Request): void {
  const address = peers.get(from)
  if (address !== undefined) peers.set(to, address)
}

/**
 * Requests that go through Next lose their socket, so our server names it in this header, with a password of this process:
 * a header a client sends cannot pass for it.
 */
export const peerHeader = 'x-beak-peer'
const password = () => once('peer.password', () => randomBytes(24).toString('base64url'))

/** The header's value for an address. */
export function peerProof(address: string): string {
  return `${password()} ${address}`
}

function provenPeer(request: Request): string | null {
  const [proof = '', address = ''] = (request.headers.get(peerHeader) ?? '').split(' ')
  const expected = Buffer.from(password())
  const given = Buffer.from(proof)
  return given.length === expected.length && timingSafeEqual(given, expected) ? address : null
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** IPv4 addresses that arrived on an IPv6 socket, in their own form. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}

/** The client's address, or null where it cannot be known (a bare `next start` without trusted proxies). */
export function clientAddress(request: Request): string | null {
  const proxies = config().trustedProxies
  const peer = peers.get(request) ?? provenPeer(request)
  const socket = peer === null ? null : plain(peer)
  if (proxies === null || (socket !== null && !proxies.check(socket, family(socket)))) return socket
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break
    if (!proxies.check(hop, family(hop))) return hop
  }
  return socket
}

/** What limits count by: the address, or for IPv6 its /64, since one host has all of that. */
export function limitKey(address: string | null): string {
  if (address === null) return 'unknown'
  if (isIP(address) !== 6) return address
  const [head = '', tail = ''] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const middle = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...(address.includes('::') ? middle : []), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
