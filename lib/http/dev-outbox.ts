/**
 * Controls access to the development outbox, which shows everybody's codes. Only a browser on this machine, without a proxy, that
 * opened the address in the server's output may read the outbox.
 *
 * The printed address contains a key. The first request with the key gets a cookie, and the server prints a new address with a
 * new key for another browser. A proxy on the same host may look like a local browser, but it does not know the key.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/kernel/config'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { equalDigests, isKeyedHash, keyedHash, randomSecret, sha256 } from '@/lib/kernel/secrets/secrets'
import { isDirectFromThisMachine } from './address'

export const outboxCookie = 'beak.outbox'
const cookieSeconds = 30 * day
const parameter = 'outbox'

interface Access {
  /** The key in the address that was printed last. */
  key: string
  announce(address: string): void
}

const access = () =>
  singleton('outbox.access', (): Access => ({ key: randomSecret(16), announce: () => undefined }))

/**
 * Whether this server has an outbox page: only without a mail server, and on a loopback origin. Several processes would need one key
 * for all, so they have no outbox page.
 */
export function hasOutboxPage(): boolean {
  const { hasOutbox, smtp, processes, roles } = config()
  return hasOutbox && smtp === null && processes === 1 && roles.has('web')
}

/** Returns the address whose first visitor gets the cookie. */
export function outboxAddress(): string {
  return `${config().baseUrl}/?${parameter}=${access().key}`
}

/** Calls `announce` with the new address each time an address was used. */
export function onNewOutboxAddress(announce: (address: string) => void): void {
  access().announce = announce
}

/** Returns whether the key is the current one, and replaces it. Of many simultaneous uses, one succeeds. */
function consumeKey(given: string): boolean {
  const current = access()
  if (!equalDigests(sha256(given), sha256(current.key))) return false
  current.key = randomSecret(16)
  current.announce(outboxAddress())
  return true
}

/** Returns a cookie value: expiry, random part and keyed hash. It stays valid after a restart. */
export function makeOutboxCookie(now: Date): string {
  const body = `${secondsAfter(now, cookieSeconds).getTime()}.${randomSecret(16)}`
  return `${body}.${keyedHash('outbox', body).toString('base64url')}`
}

/** Whether a cookie was made by this server and has not expired. */
export function isOutboxCookie(value: string, now: Date): boolean {
  const [expiry = '', random = '', proof = ''] = value.split('.')
  const isOurs = isKeyedHash('outbox', `${expiry}.${random}`, Buffer.from(proof, 'base64url'))
  return isOurs && Number(expiry) > now.getTime()
}

/**
 * Whether the request comes directly from a browser on this machine and has a host name of this server. The name is checked
 * because a web site's own name may resolve to this machine (DNS rebinding).
 */
export function isLocalBrowser(headers: Headers): boolean {
  const host = headers.get('host')?.replace(/:\d+$/, '') ?? ''
  const names = [new URL(config().baseUrl).hostname, 'localhost', '127.0.0.1', '[::1]']
  return names.includes(host) && isDirectFromThisMachine(headers)
}

/**
 * Answers a page request with a key: sets the cookie when the key is correct, and redirects to the same address without the key.
 * Returns false, without an answer, for every other request. The peer header must be set.
 */
export function admitToOutbox(request: IncomingMessage, response: ServerResponse): boolean {
  const [path = '/', search = ''] = (request.url ?? '/').split('?')
  const query = new URLSearchParams(search)
  const key = query.get(parameter)
  if (key === null || request.method !== 'GET' || !hasOutboxPage()) return false
  if (!isLocalBrowser(headersOf(request))) return false
  query.delete(parameter)
  const { origin, basePath } = config()
  const { protocol } = new URL(origin)
  const rest = query.size === 0 ? '' : `?${query}`
  const secure = protocol === 'https:' ? '; Secure' : ''
  const cookie = `${outboxCookie}=${makeOutboxCookie(readClock())}; Path=${basePath || '/'}; Max-Age=${cookieSeconds}; HttpOnly; SameSite=Lax${secure}`
  response
    .writeHead(303, {
      // Includes the checked host, because a path that begins with two slashes would name another host.
      Location: `${protocol}//${request.headers.host}${path}${rest}`,
      'Cache-Control': 'no-store',
      ...(consumeKey(key) ? { 'Set-Cookie': cookie } : {}),
    })
    .end()
  return true
}

function headersOf(request: IncomingMessage): Headers {
  return new Headers(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ) as [string, string][],
  )
}
