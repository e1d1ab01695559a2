/**
 * Who may open the development outbox, which shows the codes of everybody: only a browser that came through the address
 * printed at the start, on this machine, with no proxy in between.
 *
 * The printed address carries a key. The first request with the key gets a cookie, and the server prints an address with a
 * new key for another browser. A proxy on the same host looks like a local browser, but never gets the cookie.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { day, readClock, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { equalDigests, isKeyedHash, keyedHash, randomSecret, sha256 } from '@/lib/kernel/secrets'
import { singleton } from '@/lib/kernel/singleton'
import { isDirectFromHere } from './address'

export const outboxCookie = 'beak.outbox'
const cookieSeconds = 30 * day
const parameter = 'outbox'

interface Entrance {
  key: string
  announce(address: string): void
}

const entrance = () =>
  singleton('outbox.entrance', (): Entrance => ({ key: randomSecret(16), announce: () => undefined }))

/** Whether this server has an outbox page at all: without a mail server, and on a loopback origin. */
export function hasOutboxPage(): boolean {
  const { hasOutbox, smtp } = config()
  return hasOutbox && smtp === null
}

/** The address whose first visitor may open the outbox. */
export function outboxAddress(): string {
  return `${config().baseUrl}/?${parameter}=${entrance().key}`
}

/** Calls `announce` with each new address, once the one before was used. */
export function onNewOutboxAddress(announce: (address: string) => void): void {
  entrance().announce = announce
}

/** Uses a key. Returns whether it was the current one: of many simultaneous uses, one succeeds. */
function spendKey(given: string): boolean {
  const door = entrance()
  if (!equalDigests(sha256(given), sha256(door.key))) return false
  door.key = randomSecret(16)
  door.announce(outboxAddress())
  return true
}

/** Makes the value of the cookie: expiry, random part and keyed hash, so it is still valid after a restart. */
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
 * Whether the request comes straight from a browser on this machine, and under our own name, so that no web site whose name
 * points at this machine can read along (DNS rebinding).
 */
export function isLocalBrowser(headers: Headers): boolean {
  const host = headers.get('host')?.replace(/:\d+$/, '') ?? ''
  const names = [new URL(config().baseUrl).hostname, 'localhost', '127.0.0.1', '[::1]']
  return names.includes(host) && isDirectFromHere(headers)
}

/**
 * Answers a page request that carries a key: sets the cookie when the key is right, and leads to the same address without
 * the key. Returns false, and does nothing, for every other request. The peer header must be set.
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
      // With the host, which was checked: a path may begin with two slashes.
      Location: `${protocol}//${request.headers.host}${path}${rest}`,
      'Cache-Control': 'no-store',
      ...(spendKey(key) ? { 'Set-Cookie': cookie } : {}),
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
