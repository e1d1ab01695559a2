/**
 * What guards the pages whoever asks: headers on every one of them, routes that answer our own pages only, and an outbox that
 * nobody reads from elsewhere. Over HTTP, on the running server.
 */
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPerson, type RunningServer, send, startServer, stopAll } from './server'

let server: RunningServer
let cookie: Record<string, string>

beforeAll(async () => {
  server = await startServer()
  cookie = { Cookie: `beak.session=${(await aPerson(server, 'Smew')).token}` }
}, 60_000)

afterAll(stopAll)

const get = (path: string, headers: Record<string, string> = {}, url = server.url) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })

describe('every page', () => {
  it('carries the policy and the other headers, also where its name begins like something else of ours', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/beaks',
      '/healthzz',
      '/badge',
      '/badges/a',
      '/icons',
      '/favicon',
    ]) {
      const { headers } = await get(path)
      expect([path, headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8'])
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringMatching(/script-src 'nonce-/),
      ])
      expect([path, headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual([
        path,
        'nosniff',
        'DENY',
      ])
      expect([path, headers.get('strict-transport-security')]).toEqual([path, null])
    }
  })

  it('keeps browsers on https, and its cookies too, where the service is reached by it', async () => {
    const secure = await startServer({ env: { BASE_URL: 'https://beak.example', LOG_LEVEL: 'silent' } })
    for (const path of ['/', '/home', '/beaks', '/api/export'])
      expect([path, (await get(path, {}, secure.url)).headers.get('strict-transport-security')]).toEqual([
        path,
        expect.stringMatching(/^max-age=\d{8}/),
      ])
    const html = await (await get('/', {}, secure.url)).text()
    const form = [...html.matchAll(/<form[\s\S]*?<\/form>/g)].map(([text]) => text).find(isDarkSwitch) ?? ''
    const body = new FormData()
    for (const [, name = '', value = ''] of form.matchAll(/name="([^"]+)"(?: value="([^"]*)")?/g))
      body.append(name, value.replaceAll('&quot;', '"'))
    const chosen = await fetch(secure.url, { method: 'POST', body, redirect: 'manual' })
    expect(chosen.headers.getSetCookie()).toEqual([expect.stringMatching(/^beak\.theme=dark;.*; Secure/)])
    await secure.stop()
  }, 60_000)

  it('takes the name of what every object has for no choice of its own', async () => {
    for (const path of ['/numbers?span=constructor', '/audit?action=__proto__'])
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200])
  })
})

const isDarkSwitch = (form: string) => form.includes('>Dark<')

describe('what a browser reads with its cookie', () => {
  const routes = ['export', 'credential', 'receipt', 'audit', 'audit/head', 'audit/export', 'pecks/stream']

  it.each(routes)('/api/%s answers our own pages only, and is kept nowhere', async (route) => {
    const path = `/api/${route}`
    for (const [name, value] of [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
    ] as const) {
      const refused = await get(path, { ...cookie, [name]: value })
      expect([value, refused.status, await refused.text()]).toEqual([
        value,
        403,
        expect.stringContaining('"code":'),
      ])
    }
    for (const headers of [undefined, cookie, { ...cookie, 'Sec-Fetch-Site': 'same-origin' }]) {
      const answer = await get(path, headers)
      await answer.body?.cancel()
      expect(answer.status).not.toBe(403)
      expect(answer.headers.get('cache-control')).toMatch(/^no-store/)
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})

describe('the outbox of a development server', () => {
  /** Its status for whoever connects to that address of this machine. */
  const outboxAt = (host: string, headers: Record<string, string> = {}) =>
    new Promise((resolve, reject) => {
      const { port, host: name } = new URL(server.url)
      request({ host, port, path: '/dev/outbox', headers: { host: name, ...headers } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end()
    })

  it('is shut to whoever comes from elsewhere, through a tunnel or with made-up headers', async () => {
    expect(await outboxAt('localhost')).toBe(200)
    for (const hops of ['203.0.113.7', '203.0.113.7, 127.0.0.1', '127.0.0.1, 203.0.113.7'])
      expect([hops, await outboxAt('localhost', { 'x-forwarded-for': hops })]).toEqual([hops, 404])
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)
    // A machine without a network has no elsewhere.
    if (outer === undefined) return
    for (const made of ['x-forwarded-for', 'x-real-ip', 'x-beak-peer', 'forwarded'])
      expect([made, await outboxAt(outer.address, { [made]: '127.0.0.1' })]).toEqual([made, 404])
  })

  it('leads to our own pages only, whatever strangers wrote', async () => {
    const message = `Look at ${server.url}//evil.example/a and ${server.url}/verify please.`
    await send(server, 'POST /beak/support/contact', { body: { email: 'a@pond.example', message } })
    await expect.poll(async () => (await get('/dev/outbox')).text()).toContain('//evil.example/a')
    const html = await (await get('/dev/outbox')).text()
    expect(html).not.toContain('href="//')
    expect(html).toContain('href="/verify"')
  })
})
