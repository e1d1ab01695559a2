/** Access to the development outbox over HTTP, without the pages. */
import { request as ask, createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { config, useConfig } from '@/lib/kernel/config'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { peerHeader, peerHeaderValue } from './address'
import {
  admitToOutbox,
  isOutboxCookie,
  makeOutboxCookie,
  onNewOutboxAddress,
  outboxAddress,
} from './dev-outbox'

const before = config()
const server = createServer((request, response) => {
  delete request.headers[peerHeader]
  request.headers[peerHeader] = peerHeaderValue(request.socket.remoteAddress ?? '', request.rawHeaders)
  if (!admitToOutbox(request, response)) response.writeHead(200).end('the page')
})
const announced: string[] = []

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onNewOutboxAddress((address) => announced.push(address))
})
afterEach(() => useConfig(before))
afterAll(() => void server.close())

const currentKey = () => new URL(outboxAddress()).searchParams.get('outbox') ?? ''

/** Sends a request with any headers, and returns status and headers of the answer. */
function get(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const { port } = server.address() as AddressInfo
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const client = ask({ port, path, method, headers: { Host: 'localhost:3000', ...headers } }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers })
    })
    client.on('error', reject)
    client.end()
  })
}

/** Returns the value of the cookie in an answer, or null. */
function cookieIn({ headers }: { headers: IncomingHttpHeaders }): string | null {
  return /^beak\.outbox=([^;]+);/.exec(headers['set-cookie']?.[0] ?? '')?.[1] ?? null
}

describe('the printed address', () => {
  it('sets a cookie for its first visitor and redirects to the same page without the key', async () => {
    const used = outboxAddress()
    expect(used).toMatch(/^http:\/\/localhost:3000\/\?outbox=[0-9A-Z]{26}$/)
    const answer = await get(`/signup?ref=A%20B&outbox=${currentKey()}`)
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe('http://localhost:3000/signup?ref=A+B')
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    expect(isOutboxCookie(cookieIn(answer) ?? '', readClock())).toBe(true)
    expect(announced.at(-1)).toBe(outboxAddress())
    expect(outboxAddress()).not.toBe(used)
  })

  it('limits the cookie to the path of BASE_URL', async () => {
    useConfig({ baseUrl: 'http://localhost:3000/prod' })
    expect(outboxAddress()).toMatch(/^http:\/\/localhost:3000\/prod\/\?outbox=/)
    const answer = await get(`/prod/?outbox=${currentKey()}`)
    expect(answer.headers.location).toBe('http://localhost:3000/prod/')
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Path=\/prod; /)
  })

  it('sets no cookie when it is used again', async () => {
    const key = currentKey()
    expect(cookieIn(await get(`/?outbox=${key}`))).not.toBeNull()
    const replay = await get(`/?outbox=${key}`)
    expect([replay.status, replay.headers.location, cookieIn(replay)]).toEqual([
      303,
      'http://localhost:3000/',
      null,
    ])
  })

  // security: stranger-43
  it('sets one cookie for 50 simultaneous visitors', async () => {
    const key = currentKey()
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(`/?outbox=${key}`)))
    expect(answers.filter((answer) => cookieIn(answer) !== null)).toHaveLength(1)
  })

  it.each(['', 'x', 'A'.repeat(26), '%00'])('sets no cookie for the wrong key "%s"', async (key) => {
    expect(cookieIn(await get(`/?outbox=${key}`))).toBeNull()
  })

  it.each([
    'Forwarded',
    'Via',
    'X-Real-IP',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'CF-Connecting-IP',
    'True-Client-IP',
  ])('ignores a request with the proxy header %s, and the key remains valid', async (name) => {
    const path = `/?outbox=${currentKey()}`
    expect(await get(path, { [name]: '127.0.0.1' })).toMatchObject({ status: 200 })
    expect(cookieIn(await get(path))).not.toBeNull()
  })

  it('ignores other host names and methods, and servers with a mail server, and the key remains valid', async () => {
    const path = `/?outbox=${currentKey()}`
    for (const Host of ['evil.example', 'localhost.evil.example', 'evil.example:3000'])
      expect(await get(path, { Host })).toMatchObject({ status: 200 })
    for (const method of ['POST', 'HEAD']) expect(await get(path, {}, method)).toMatchObject({ status: 200 })
    useConfig({ smtp: { url: 'smtp://127.0.0.1', from: 'beak@localhost' } })
    expect(await get(path)).toMatchObject({ status: 200 })
    useConfig({ smtp: null, hasOutbox: false })
    expect(await get(path)).toMatchObject({ status: 200 })
    useConfig(before)
    expect(cookieIn(await get(path))).not.toBeNull()
  })

  it('never redirects to another host', async () => {
    for (const path of ['//evil.example/', '/\\evil.example/', '/.//evil.example']) {
      const { headers } = await get(`${path}?outbox=x`)
      expect(new URL(headers.location ?? '').host).toBe('localhost:3000')
    }
  })
})

describe('the cookie', () => {
  it('is accepted for 30 days, and rejected when it was changed', () => {
    const now = readClock()
    const value = makeOutboxCookie(now)
    const [expiry = '', random = '', proof = ''] = value.split('.')
    expect(isOutboxCookie(value, secondsAfter(now, 30 * day - 1))).toBe(true)
    expect(isOutboxCookie(value, secondsAfter(now, 30 * day))).toBe(false)
    const later = String(Number(expiry) + 1)
    for (const wrong of [
      '',
      'x',
      '..',
      `${later}.${random}.${proof}`,
      `${expiry}.${random}x.${proof}`,
      `${expiry}.${random}.`,
    ])
      expect([wrong, isOutboxCookie(wrong, now)]).toEqual([wrong, false])
  })
})
