/** Where codes may go: only to an address that the program registered. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import {
  allowed,
  aProgram,
  begin,
  type Doors,
  exchange,
  redirectUri,
  registration,
} from '@/lib/fixtures/programs'
import { aSite, type RegisteredSite, siteRedirect, visit } from '@/lib/fixtures/sites'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())
afterEach(() => void vi.useRealTimers())

const httpsUri = 'https://program.example/callback'

describe('a redirect address', () => {
  it.each([
    'http://127.0.0.1:4567/other',
    'http://127.0.0.1:4567/callback/sub',
    'http://127.0.0.1:4567/callback/',
    'http://127.0.0.1:4567/Callback',
    'http://127.0.0.1:4567/./callback',
    'http://127.0.0.1:4567/x/../callback',
    'http://127.0.0.1:4567/callback?x=1',
    'http://127.0.0.1:4567/callback?',
    'http://127.0.0.1:4567/callback#x',
    'http://user@127.0.0.1:4567/callback',
    'http://user:password@127.0.0.1:4567/callback',
    'http://127.0.0.1:4567@evil.example/callback',
    'http://127.0.0.1.evil.example:4567/callback',
    'http://evil.example:4567/callback',
    'http://localhost:4567/callback',
    'http://127.1:4567/callback',
    'http://[::1]:4567/callback',
    'https://127.0.0.1:4567/callback',
    'HTTP://127.0.0.1:4567/callback',
    'http://127.0.0.1:4567/call\nback',
    ' http://127.0.0.1:4567/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    '/callback',
    'callback',
    'http://',
    'https://program.example/callback/',
    'https://program.example/callback?x=1',
    'https://program.example:443/callback',
    'https://program.example:8443/callback',
    'https://PROGRAM.example/callback',
    'https://prоgram.example/callback',
    'https://program.example.evil.example/callback',
    'https://program.example@evil.example/callback',
    'https://evil.example\\@program.example/callback',
    'https://evil.example/callback',
    'http://program.example/callback',
  ])('%j that is not the registered one gets no browser and no page', async (redirect) => {
    const program = await aProgram(doors, { redirect_uris: [redirectUri, httpsUri] })
    const { status, location, body, cookies } = await begin(doors, program, { redirect_uri: redirect })
    expect([status, location, cookies]).toEqual([400, '', ''])
    expect(body.error).toBe('invalid_redirect_uri')
  })

  it('may have any port on loopback, which the system gives to a native program', async () => {
    for (const redirect of ['http://127.0.0.1:9/callback', 'http://127.0.0.1/callback'])
      expect((await begin(doors, await aProgram(doors), { redirect_uri: redirect })).status).toBe(303)
  })

  it('must be the same at the exchange', async () => {
    const { begun, code } = await allowed(doors, await aDuckling())
    const wrong = await exchange(doors, begun, code, { redirect_uri: 'http://127.0.0.1:9/callback' })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_grant'])
  })

  it('named twice or not at all is refused without a page', async () => {
    const { clientId } = await aProgram(doors, { redirect_uris: [redirectUri, httpsUri] })
    const twice = `redirect_uri=${encodeURIComponent(redirectUri)}&redirect_uri=https://evil.example/`
    for (const query of ['', twice]) {
      const { status, headers } = await doors.fetch(
        `/oauth/authorize?client_id=${clientId}&response_type=code&${query}`,
      )
      expect([status, headers.get('location')]).toEqual([400, null])
    }
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://program.example/x',
    'about:blank',
    'http://program.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1@evil.example/callback',
    'https://program.example/callback#x',
    'https://user@program.example/callback',
    'https://beak.example:x@program.example/callback',
    'program.example',
    '',
  ])('%j cannot be registered', async (redirect) => {
    for (const application_type of ['native', 'web', undefined]) {
      const { status, body } = await registration(doors, { redirect_uris: [redirect], application_type })
      expect([status, body.error]).toEqual([
        400,
        expect.stringMatching(/^invalid_(?:redirect_uri|client_metadata)$/),
      ])
    }
  })

  it.each([
    ['https://bücher.example/x', 'xn--bcher-kva.example'],
    ['https://clаude.ai/x', 'xn--clude-5ve.ai'],
    ['https://program.example:8443/x', 'program.example:8443'],
    ['com.example.otter:/x', 'com.example.otter:'],
    ['http://[::1]:5/x', 'localhost'],
  ])('%j is shown to the person as %j', async (redirect, host) => {
    const begun = await begin(doors, await aProgram(doors, { redirect_uris: [redirect] }))
    const { token } = await aDuckling()
    const seen = await call('POST /beak/consent/view', { token, body: begun.consent })
    expect(seen.body.return_host).toBe(host)
  })
})

describe('the redirect address of a site', () => {
  let builder: ADuckling
  let site: RegisteredSite
  beforeAll(async () => {
    builder = await aDuckling()
    site = await aSite(doors, builder)
  })

  // oidcc-ensure-registered-redirect-uri, oidcc-redirect-uri-query-mismatch, oidcc-redirect-uri-query-added
  it.each([
    `${siteRedirect}/`,
    `${siteRedirect}/sub`,
    `${siteRedirect}?x=1`,
    `${siteRedirect}?`,
    `${siteRedirect}#x`,
    'https://shop.example/Callback',
    'https://shop.example/x/../callback',
    'https://shop.example:443/callback',
    'https://shop.example:8443/callback',
    'http://shop.example/callback',
    'HTTPS://shop.example/callback',
    'https://SHOP.example/callback',
    'https://shop.example./callback',
    'https://user@shop.example/callback',
    'https://shop.example@evil.example/callback',
    'https://ѕhop.example/callback',
    'https://evil.example/callback',
    ' https://shop.example/callback',
    'javascript:alert(1)',
    '/callback',
  ])('is not %j', async (redirect_uri) => {
    const { status, headers, body } = await visit(doors, site, builder, { redirect_uri, prompt: 'none' })
    expect([status, headers.get('location')]).toEqual([400, null])
    expect(['invalid_redirect_uri', 'invalid_request']).toContain(body.error)
  })

  it('has one port and one spelling of this computer', async () => {
    const local = await aSite(doors, builder, { redirect_uris: ['http://localhost:8080/callback'] })
    for (const redirect_uri of [
      'http://localhost:8081/callback',
      'http://localhost/callback',
      'http://127.0.0.1:8080/callback',
      'http://[::1]:8080/callback',
    ])
      expect((await visit(doors, local, builder, { redirect_uri })).headers.get('location')).toBeNull()
    expect((await visit(doors, local, builder)).location).toMatch(/^\/connect\/allow\//)
  })

  it.each([
    'http://shop.example/callback',
    'https://shop.example/callback#x',
    'https://shop.example/callback#',
    'https://user@shop.example/callback',
    'http://localhost.evil.example/callback',
    'http://127.0.0.1@evil.example/callback',
    'javascript://shop.example/%0aalert(1)',
    'com.example.shop:/callback',
    'shop.example/callback',
  ])('is refused at registration: %j', async (address) => {
    const body = { name: 'Shop', redirect_uris: [address] }
    expect((await call('POST /beak/site/register', { token: builder.token, body })).status).toBe(400)
  })
})
