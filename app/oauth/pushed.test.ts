/** Requests that a site pushes before it sends the browser (RFC 9126), and what strangers try with them. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { allow, aProgram, beginAt, exchange, goBack, type Program, postForm } from '@/lib/fixtures/programs'
import { openSecureDoors, passBeak, type SecureDoors } from '@/lib/fixtures/site-browser'
import { aSite, type RegisteredSite, redeem, signIn } from '@/lib/fixtures/sites'
import { config } from '@/lib/kernel/config'
import { oauthRoutes } from '@/lib/kernel/request/oauth-paths'
import { cookieName } from '@/lib/kernel/request/session-cookie'
import { answerOAuth } from './_server/listener'

let doors: SecureDoors
let person: ADuckling
let site: RegisteredSite
beforeAll(async () => {
  doors = await openSecureDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
  doors.moveTo('')
  person = await aDuckling()
  site = await aSite(doors, person)
})
afterAll(() => doors.close())

const verifier = randomBytes(32).toString('base64url')
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

/** Pushes a request. A field that is undefined is left out. */
const push = (at: RegisteredSite, changes: Record<string, string | undefined> = {}) =>
  postForm(doors, oauthRoutes.pushed_authorization_request, {
    client_id: at.clientId,
    client_secret: at.secret,
    redirect_uri: at.redirect,
    response_type: 'code',
    scope: 'openid profile',
    ...challenge,
    ...changes,
  })

/** Sends the browser of the person with a pushed request. */
const arrive = (at: Program, requestUri: string, changes: Record<string, string> = {}) =>
  beginAt(
    doors,
    `${oauthRoutes.authorization}?${new URLSearchParams({ client_id: at.clientId, request_uri: requestUri, ...changes })}`,
    at,
    { Cookie: `${cookieName()}=${person.token}` },
  )

const pushed = async (at: RegisteredSite): Promise<string> => (await push(at)).body.request_uri
const errorOf = ({ body, location }: { body: { error?: string } | null; location: string }) =>
  body?.error ?? new URL(location, 'https://here.invalid').searchParams.get('error')

describe.each(['', '/prod'])('below %j', (path) => {
  it('signs a person in with openid-client, which pushes the request', async () => {
    doors.moveTo(path)
    const known = await openid.discovery(new URL(config().baseUrl), site.clientId, site.secret)
    const to = await openid.buildAuthorizationUrlWithPAR(known, {
      redirect_uri: site.redirect,
      scope: 'openid profile',
      state: 'here',
      ...challenge,
    })
    expect([...to.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    const { back } = await passBeak(doors, site, to.href, person, ['profile'])
    const checks = { pkceCodeVerifier: verifier, expectedState: 'here' }
    const tokens = await openid.authorizationCodeGrant(known, back, checks)
    expect(tokens.claims()?.name).toBe(person.displayName)
    doors.moveTo('')
    await call('POST /beak/consent/revoke', { token: person.token, body: { site_id: site.clientId } })
  })
})

describe('a pushed request', () => {
  it('connects a program that names no scope, at the MCP server', async () => {
    const program = await aProgram(doors)
    const { body } = await push({ ...program, secret: '' }, { client_secret: undefined, scope: undefined })
    const begun = { ...(await arrive(program, body.request_uri)), verifier }
    const decided = await allow(doors, begun, person)
    const code = (await goBack(doors, begun, decided.body.continue)).get('code') ?? ''
    expect((await exchange(doors, begun, code)).body.scope).toBe('ask')
  })

  it('is for one browser, also when two arrive at the same time', async () => {
    const uri = await pushed(site)
    const arrivals = await Promise.all([arrive(site, uri), arrive(site, uri), arrive(site, uri)])
    expect(arrivals.filter(({ consent }) => consent.request !== '')).toHaveLength(1)
    for (const late of arrivals.filter(({ consent }) => consent.request === ''))
      expect(errorOf(late)).toBe('invalid_request_uri')
    expect(errorOf(await arrive(site, uri))).toBe('invalid_request_uri')
  })

  it('lasts for a minute until the browser arrives, and the person then has an hour', async () => {
    const [late, inTime] = [await pushed(site), await pushed(site)]
    const begun = await arrive(site, inTime)
    await db().run`
      UPDATE "OAuthRecord" SET "expiresAt" = "expiresAt" - interval '61 seconds' WHERE "kind" = 'PushedAuthorizationRequest'`
    expect(errorOf(await arrive(site, late))).toBe('invalid_request_uri')
    const { body } = await signIn(doors, begun, person)
    const code = (await goBack(doors, begun, body.continue)).get('code') ?? ''
    expect((await redeem(doors, site, { ...begun, verifier }, code)).status).toBe(200)
  })

  it('is of one site, and the parameters beside it count for nothing', async () => {
    const other = await aSite(doors, person, { redirect_uris: ['https://other.example/callback'] })
    const stolen = await arrive(other, await pushed(site))
    expect([stolen.consent.request, errorOf(stolen)]).toEqual(['', 'invalid_request_object'])
    const { request_uri } = (await push(site, { prompt: 'consent' })).body
    const begun = await arrive(site, request_uri, {
      scope: 'openid email handle',
      redirect_uri: 'https://evil.example/',
      code_challenge: 'x'.repeat(43),
      response_mode: 'form_post',
    })
    const { body } = await call('POST /beak/consent/view', { token: person.token, body: begun.consent })
    expect(body).toMatchObject({ return_host: 'shop.example', site: { scopes: ['profile'] } })
  })

  it('with a text that cannot be stored is refused when the browser arrives', async () => {
    const { request_uri } = (await push(site, { prompt: 'consent', state: '\0' })).body
    expect(errorOf(await arrive(site, request_uri))).toBe('invalid_request')
  })

  it('has its id only as a digest in the database', async () => {
    const id = (await pushed(site)).split(':').at(-1) ?? ''
    const rows = await db().oAuthRecord.findMany({ where: { kind: 'PushedAuthorizationRequest' } })
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(id)
  })

  it.each<[string, number, Record<string, string | undefined>]>([
    ['a wrong secret', 401, { client_secret: 'wrong' }],
    ['no secret', 401, { client_secret: undefined }],
    ['another address', 400, { redirect_uri: 'https://evil.example/' }],
    ['no PKCE', 400, { code_challenge: undefined, code_challenge_method: undefined }],
    ['plain PKCE', 400, { code_challenge_method: 'plain' }],
    ['another form of the answer', 400, { response_mode: 'form_post' }],
    ['another flow', 400, { response_type: 'id_token' }],
    ['a request inside', 400, { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['an address of a request', 400, { request_uri: 'https://evil.example/request' }],
    ['a resource of programs', 400, { resource: `https://beak.example/mcp` }],
  ])('is refused with %s', async (_, status, changes) => {
    const { status: answered, body } = await push(site, changes)
    expect([answered, body.request_uri]).toEqual([status, undefined])
  })
})

describe('an address of a request that is not ours', () => {
  it('is refused and never fetched', async () => {
    let asked = 0
    const server = createServer((_, response) => response.end(String(asked++)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const ours = 'urn:ietf:params:oauth:request_uri:'
    const uris = [
      `http://127.0.0.1:${port}/`,
      `${ours}http://127.0.0.1:${port}/`,
      ours,
      `${ours}../x`,
      'x',
      '',
    ]
    for (const uri of uris) {
      const begun = await arrive(site, uri)
      expect(begun.consent.request).toBe('')
      expect(errorOf(begun)).toMatch(/^(?:invalid_request|invalid_request_uri|request_uri_not_supported)$/)
    }
    server.close()
    expect(asked).toBe(0)
  })
})
