/**
 * The protection of the pages: security headers, routes that answer only our own pages, and access to the outbox. Over HTTP, on the
 * running server.
 */
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { Readable } from 'node:stream'
import { expect, test } from './fixtures'
import { outboxCookieOf } from './outbox'
import { aPerson, type Person } from './people'
import { type RunningServer, type Server, send, startServer } from './server'

const get = ({ url }: { url: string }, path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, { headers, redirect: 'manual' })
const cookieOf = ({ token }: Person) => ({ Cookie: `beak.session=${token}` })

const isDarkSwitch = (form: string) => form.includes('>Dark<')

/** Returns the form of the theme switch, as a browser without scripts sends it. */
async function themeForm(server: Server): Promise<FormData> {
  const html = await (await get(server, '/')).text()
  const form = [...html.matchAll(/<form[\s\S]*?<\/form>/g)].map(([text]) => text).find(isDarkSwitch) ?? ''
  const body = new FormData()
  for (const [, name = '', value = ''] of form.matchAll(/name="([^"]+)"(?: value="([^"]*)")?/g))
    body.append(name, value.replaceAll('&quot;', '"'))
  return body
}

test.describe('every page', () => {
  // security: site-7, check-61
  test('carries the policy and the other headers, even when its path begins like another route', async ({
    server,
  }) => {
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
      const { headers } = await get(server, path)
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

  test('sends HSTS and secure cookies when BASE_URL is https', async ({ start }) => {
    const secure = await start({ env: { BASE_URL: 'https://beak.example', LOG_LEVEL: 'silent' } })
    for (const path of ['/', '/home', '/beaks', '/api/export'])
      expect([path, (await get(secure, path)).headers.get('strict-transport-security')]).toEqual([
        path,
        expect.stringMatching(/^max-age=\d{8}/),
      ])
    const body = await themeForm(secure)
    const chosen = await fetch(secure.url, { method: 'POST', body, redirect: 'manual' })
    expect(chosen.headers.getSetCookie()).toEqual([expect.stringMatching(/^beak\.theme=dark;.*; Secure/)])
  })

  test('ignores inherited property names such as "constructor" in queries', async ({ person, server }) => {
    for (const path of ['/numbers?span=constructor', '/audit?action=__proto__'])
      expect([path, (await get(server, path, cookieOf(person))).status]).toEqual([path, 200])
  })
})

test.describe('a path below /.well-known that the API does not have', () => {
  test('serves security.txt with the contact of this host', async ({ server }) => {
    const response = await fetch(`${server.url}/.well-known/security.txt`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toContain(`Contact: ${server.url}/support\n`)
  })

  test('is a 404: a page without a name, and JSON below the folder', async ({ server }) => {
    const page = await get(server, '/.well-known')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'nonce-/)
    // Programs ask for these, such as MCP clients that look for OAuth.
    for (const path of [
      '/.well-known/',
      '/.well-known/change-password',
      '/.well-known/jwks.json/x',
      '/.well-known/tlog/nothing',
    ]) {
      const { status, headers } = await get(server, path)
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'application/problem+json'])
    }
    for (const path of [
      '/.well-known/jwks.json',
      '/.well-known/jwks.json/',
      '/beak/nothing',
      '/.well-known/status-list/x',
      '/.well-known/tlog/tile/x',
    ])
      expect([path, (await get(server, path)).headers.get('content-type')]).toEqual([
        path,
        expect.stringMatching(/json$/),
      ])
  })
})

test.describe('a form or a server action from another site', () => {
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]

  // security: site-1, check-28
  test('is refused with 403 and a sentence that says why', async ({ server }) => {
    const body = await themeForm(server)
    for (const headers of foreign) {
      const answer = await fetch(server.url, {
        method: 'POST',
        body,
        headers: { ...headers, Accept: 'text/html' },
        redirect: 'manual',
      })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
      expect(await answer.text()).toContain('sent from another site')
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    for (const path of ['/', '/signup', '/nothing'])
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const headers = {
          Origin: 'https://evil.example',
          'Next-Action': 'a'.repeat(40),
          Accept: 'text/x-component',
        }
        const answer = await fetch(`${server.url}${path}`, { method, headers, body: '[]' })
        expect([path, method, answer.status, answer.headers.get('content-type')]).toEqual([
          path,
          method,
          403,
          'text/plain; charset=utf-8',
        ])
      }
  })

  test('is accepted from our own pages, also without scripts', async ({ server }) => {
    const body = await themeForm(server)
    const own: Record<string, string>[] = [
      {},
      { Origin: server.url },
      { Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'same-origin' },
    ]
    for (const headers of own) {
      const answer = await fetch(server.url, { method: 'POST', body, headers, redirect: 'manual' })
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^beak\.theme=dark;/)])
    }
  })
})

test.describe('a form behind a proxy that loses Host', () => {
  /** Posts with headers that fetch would not send. */
  const post = (server: { port: number }, headers: Record<string, string>, form: FormData) =>
    new Promise<{ status: number; cookies: string[] }>((resolve, reject) => {
      const encoded = new Response(form)
      const sending = request(
        {
          host: '127.0.0.1',
          port: server.port,
          method: 'POST',
          path: '/',
          headers: { 'Content-Type': encoded.headers.get('content-type') ?? '', ...headers },
        },
        (answer) => {
          answer.resume()
          resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [] })
        },
      )
      sending.on('error', reject)
      Readable.fromWeb(encoded.body as never).pipe(sending)
    })

  test('is accepted from the origin of BASE_URL, and refused from the host that it names', async ({
    server,
  }) => {
    const body = await themeForm(server)
    const hosts: Record<string, string>[] = [
      { Host: '127.0.0.1:3000' },
      { Host: 'evil.example' },
      { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    ]
    for (const lost of hosts) {
      const own = await post(server, { ...lost, Origin: server.url }, body)
      expect([lost, own.cookies]).toEqual([lost, [expect.stringMatching(/^beak\.theme=dark;/)]])
      const foreign = await post(server, { ...lost, Origin: 'http://evil.example' }, body)
      expect([foreign.status, foreign.cookies]).toEqual([403, []])
    }
  })
})

test.describe('a server action with a malformed body', () => {
  const boundary = 'pond'
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const formOf = (...parts: string[]) => `${parts.join('')}--${boundary}--\r\n`

  // security: stranger-20
  test('is answered with 400 and logged in one line of JSON', async ({ start }) => {
    const server = await start({ env: { LOG_LEVEL: 'warn' } })
    const html = await (await get(server, '/newsletter')).text()
    const [, id = ''] = /&quot;id&quot;:&quot;([0-9a-f]+)&quot;/.exec(html) ?? []
    const text = { 'Next-Action': id, 'Content-Type': 'text/plain;charset=UTF-8' }
    const form = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    const action = `{"id":"${id}","bound":"$@1"}`
    const requests: [Record<string, string>, string][] = [
      [text, ''],
      [text, '[{'],
      [text, '{"a":1}'],
      [text, '[]'],
      [text, '[null,null]'],
      [text, '["a","b"]'],
      [text, '["$K1","$Z","$F9"]'],
      [text, '[{"__proto__":{"a":1}},"$0:constructor:constructor"]'],
      [{ ...text, 'Next-Action': 'xyz' }, '[]'],
      [{ 'Next-Action': id, ...form }, part('0', '["$K1"]')],
      [{ 'Next-Action': id, ...form }, formOf(part('0', '[["'))],
      [{ 'Next-Action': id, ...form }, formOf(part('0', '["$undefined","$K1"]'))],
      [{ 'Next-Action': id, 'Content-Type': 'multipart/form-data' }, 'x'],
      // As browsers without scripts send forms.
      [form, part('0', 'x')],
      [form, formOf(part('a', 'b'))],
      [form, formOf(part('$ACTION_REF_1', ''), part('$ACTION_1:0', action))],
      [form, formOf(part('$ACTION_REF_1', ''), part('$ACTION_1:0', action), part('$ACTION_1:1', '[{'))],
    ]
    for (const [headers, body] of requests) {
      const { status } = await fetch(`${server.url}/newsletter`, { method: 'POST', headers, body })
      expect([status, headers, body]).toEqual([400, headers, body])
    }
    const large = JSON.stringify(['x'.repeat(1_100_000)])
    const tooLarge = await fetch(`${server.url}/newsletter`, { method: 'POST', headers: text, body: large })
    expect(tooLarge.status).toBe(413)
    const [, printed = ''] = server.output().split(/outbox\n\n/)
    const lines = printed.split('\n').filter((line) => line !== '')
    expect(lines).toHaveLength(requests.length + 1)
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        level: 'warn',
        msg: 'a server action got a malformed body',
        error: expect.any(String),
      })
  })
})

test.describe('routes that read the session cookie', () => {
  const routes = ['export', 'credential', 'receipt', 'audit', 'audit/head', 'audit/export', 'pecks/stream']

  // security: site-6
  for (const route of routes)
    test(`/api/${route} answers our own pages only, and is not cached`, async ({ person, server }) => {
      const path = `/api/${route}`
      const cookie = cookieOf(person)
      for (const [name, value] of [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Sec-Fetch-Site', 'same-site'],
        ['Origin', 'https://evil.example'],
        ['Origin', 'null'],
      ] as const) {
        const refused = await get(server, path, { ...cookie, [name]: value })
        expect([value, refused.status, await refused.text()]).toEqual([
          value,
          403,
          expect.stringContaining('"code":'),
        ])
      }
      for (const headers of [undefined, cookie, { ...cookie, 'Sec-Fetch-Site': 'same-origin' }]) {
        const answer = await get(server, path, headers)
        await answer.body?.cancel()
        expect(answer.status).not.toBe(403)
        expect(answer.headers.get('cache-control')).toMatch(/^no-store/)
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
    })
})

test.describe('the outbox of a development server', () => {
  let own: RunningServer
  let opened: string

  test.beforeAll(async () => {
    own = await startServer()
    opened = await outboxCookieOf(own)
  })
  test.afterAll(() => own.stop())

  /** Returns the status for a client that connects to that address of this machine. */
  const outboxAt = (host: string, headers: Record<string, string | string[]> = {}, path = '/dev/outbox') =>
    new Promise((resolve, reject) => {
      const { port, host: name } = new URL(own.url)
      request({ host, port, path, headers: { host: name, ...headers } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end()
    })

  test('opens for the browser that used the printed address, also after a restart', async () => {
    expect(await outboxAt('localhost', { Cookie: opened })).toBe(200)
    const { dataDir, port } = own
    await own.stop()
    own = await startServer({ dataDir, port })
    expect(await outboxAt('localhost', { Cookie: opened })).toBe(200)
    const other = await outboxCookieOf(own)
    expect(other).not.toBe(opened)
    for (const Cookie of [opened, other]) expect(await outboxAt('localhost', { Cookie })).toBe(200)
  })

  test('answers 404 to a proxy on this machine that imitates a local browser', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', new URL(own.url).host])
      expect([host, await outboxAt('localhost', { host })]).toEqual([host, 404])
    for (const Cookie of [
      `${opened}x`,
      'beak.outbox=1',
      'beak.outbox=..',
      `beak.session=${opened.split('=')[1]}`,
    ])
      expect([Cookie, await outboxAt('localhost', { Cookie })]).toEqual([Cookie, 404])
  })

  for (const [name, value] of [
    ['Forwarded', 'for=127.0.0.1'],
    ['Via', '1.1 proxy'],
    ['X-Real-IP', '127.0.0.1'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-For', '203.0.113.7, 127.0.0.1'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Forwarded-Proto', 'http'],
    ['X-Forwarded-Port', '3000'],
    ['CF-Connecting-IP', '127.0.0.1'],
    ['True-Client-IP', '127.0.0.1'],
  ] as const)
    test(`answers 404 to every request with ${name}: ${value}`, async () => {
      expect(await outboxAt('localhost', { Cookie: opened, [name]: value })).toBe(404)
    })

  // security: stranger-43, check-68
  test('answers 404 to every client on another machine, with any header', async () => {
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)
    // A machine without a network has no such address.
    if (outer === undefined) return
    for (const made of ['x-forwarded-for', 'x-real-ip', 'x-beak-peer', 'forwarded'])
      expect([made, await outboxAt(outer.address, { Cookie: opened, [made]: '127.0.0.1' })]).toEqual([
        made,
        404,
      ])
    expect(await outboxAt(outer.address, { Cookie: opened })).toBe(404)
  })

  test('is linked only for the browser that may open it', async () => {
    const { token } = await aPerson(own, 'Scaup', { verified: false })
    const welcome = async (headers: Record<string, string> = {}, ...cookies: string[]) => {
      const Cookie = [`beak.session=${token}`, ...cookies].join('; ')
      return (await get(own, '/welcome', { ...headers, Cookie })).text()
    }
    expect(await welcome({}, opened)).toContain('href="/dev/outbox"')
    const near = await welcome()
    expect(near).not.toContain('/dev/outbox')
    expect(near).toContain('open the outbox address that the server printed')
    const behindProxy = await welcome({ Via: '1.1 proxy' }, opened)
    expect(behindProxy).not.toContain('/dev/outbox')
    expect(behindProxy).not.toContain('development server')
  })

  test('links only to our own pages, whatever a message contains', async () => {
    const message = `Look at ${own.url}//evil.example/a and ${own.url}/verify please.`
    await send(own, 'POST /beak/support/contact', { body: { email: 'a@pond.example', message } })
    const outbox = async () => (await get(own, '/dev/outbox', { Cookie: opened })).text()
    await expect.poll(outbox).toContain('//evil.example/a')
    const html = await outbox()
    expect(html).not.toContain('href="//')
    expect(html).toContain('href="/verify"')
  })
})
