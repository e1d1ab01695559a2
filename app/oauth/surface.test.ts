/** What strangers send to the addresses of the authorization server, and what stands in the database. */
import { checkReceipt } from '@beak/proofs/receipts/verify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { throughProxy } from '@/lib/fixtures/database-proxy'
import {
  allowed,
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  redirectUri,
  refresh,
  registration,
  sendWithHeaders,
} from '@/lib/fixtures/programs'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { config } from '@/lib/kernel/config'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())
afterEach(() => void vi.useRealTimers())

describe('the headers of a proxy', () => {
  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '1' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-forwarded-prefix': '/evil', 'x-original-url': '/evil' },
  ])('%j from a stranger change no address', async (headers) => {
    const before = await sendWithHeaders(`${doors.origin}/.well-known/oauth-authorization-server`, {})
    const after = await sendWithHeaders(`${doors.origin}/.well-known/oauth-authorization-server`, headers)
    expect(after.text).toBe(before.text)
    expect(JSON.parse(after.text).issuer).toBe(config().baseUrl)
    const { clientId } = await aProgram(doors)
    const query = `client_id=${clientId}&response_type=code&code_challenge_method=S256&code_challenge=${'x'.repeat(43)}`
    const target = `${doors.origin}/oauth/authorize?${query}&redirect_uri=${encodeURIComponent(redirectUri)}`
    const begun = await sendWithHeaders(target, headers)
    expect(begun.headers.location).toMatch(/^\/connect\/allow\/[\w-]+$/)
    for (const cookie of begun.headers['set-cookie'] ?? []) {
      expect(cookie).toMatch(/; path=\/(?:connect\/allow|oauth\/authorize)\/[\w-]+;/)
      expect(cookie).not.toMatch(/evil|domain|secure/i)
    }
    const row = await db().oAuthRecord.findFirstOrThrow({
      where: { kind: 'Interaction' },
      orderBy: { createdAt: 'desc' },
    })
    expect(JSON.stringify(row.payload)).not.toContain('evil')
  })
})

describe('an error', () => {
  it.each([
    ['GET', '/oauth/authorize'],
    [
      'GET',
      '/oauth/authorize?client_id=%3Cscript%3E&redirect_uri=javascript:alert(1)&response_mode=form_post',
    ],
    ['GET', '/oauth/authorize/nothing'],
    ['POST', '/oauth/authorize'],
    ['POST', '/oauth/token'],
    ['GET', '/oauth/token'],
    ['POST', '/oauth/register'],
    ['GET', '/oauth/register'],
    ['GET', '/oauth/register/nobody'],
    ['PUT', '/oauth/register/nobody'],
    ['POST', '/oauth/revoke'],
    ['GET', '/oauth/logout?id_token_hint=a.b.c'],
    ['GET', '/oauth/picture/nobody'],
    ['POST', '/oauth/picture/AAAAAAAAAAAAAAAAAAAAAA'],
    ['DELETE', '/oauth/picture/AAAAAAAAAAAAAAAAAAAAAA'],
    ['GET', '/oauth/userinfo'],
    ['POST', '/oauth/introspect'],
    ['POST', '/oauth/logout/confirm'],
    ['GET', '/oauth/request'],
    ['GET', '/oauth/'],
    ['GET', '/oauth/nothing'],
    ['GET', '/oauth/../oauth/nothing'],
    ['GET', '/oauth/%00'],
    ['GET', '/oauth/%ff?%ff'],
    ['DELETE', '/oauth/token'],
  ])('of %s %s is JSON without a script, also for a browser', async (method, path) => {
    for (const Accept of ['text/html,*/*;q=0.8', 'application/json', '']) {
      const { status, headers, text, body } = await doors.fetch(path, { method, headers: { Accept } })
      expect([400, 401, 404, 405]).toContain(status)
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(body.error).toMatch(/^\w+$/)
      expect(text).not.toMatch(/<|script>/)
    }
  })

  it('of a picture that is not read names the methods, and the others work', async () => {
    const path = '/oauth/picture/AAAAAAAAAAAAAAAAAAAAAA'
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await doors.fetch(path, { method })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
    }
    for (const method of ['GET', 'HEAD']) expect((await doors.fetch(path, { method })).status).toBe(200)
  })

  it('of an unknown path is a 404', async () => {
    const { status, body } = await doors.fetch('/oauth/nothing')
    expect([status, body.error]).toEqual([404, 'not_found'])
  })

  it('has the headers of every answer, and none that lets other origins read it', async () => {
    const { headers } = await doors.fetch('/oauth/nothing', { headers: { Origin: 'https://evil.example' } })
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.any(String),
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('is the answer to texts that the database cannot keep', async () => {
    const strange = [
      { redirect_uris: ['https://a.example/\0'] },
      { redirect_uris: ['https://a.example/\ud800'] },
      { client_name: 'Otter\ud800' },
    ]
    for (const metadata of strange) expect((await registration(doors, metadata)).status).toBe(400)
    const { status, text } = await begin(doors, await aProgram(doors), { state: '\0' })
    expect([status, JSON.parse(text).error]).toEqual([400, 'invalid_request'])
    expect((await begin(doors, await aProgram(doors), { state: '\\u0000' })).consent.request).not.toBe('')
  })

  it('is not the answer to the question of a browser before it reads the metadata', async () => {
    const headers = { Origin: 'https://program.example', 'Access-Control-Request-Method': 'GET' }
    const path = '/.well-known/oauth-authorization-server'
    const { status, headers: answered } = await doors.fetch(path, { method: 'OPTIONS', headers })
    expect([status, answered.get('access-control-allow-methods')]).toEqual([204, 'GET'])
  })

  it('is the answer to bodies that are no forms and no JSON', async () => {
    for (const path of ['/oauth/token', '/oauth/register', '/oauth/revoke'])
      for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'x'])
        for (const body of [
          '',
          '{',
          'null',
          '[]',
          '"x"',
          '\0',
          `{"a":${'['.repeat(50_000)}`,
          'x'.repeat(100_000),
        ]) {
          const answer = await doors.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body })
          expect([400, 401]).toContain(answer.status)
          expect(answer.body.error).toMatch(/^invalid_/)
        }
  })
})

describeOnPostgres('a database that is away', () => {
  it('is a 503 at each address, which works again afterwards', async () => {
    const owner = await aDuckling()
    const waiting = await allowed(doors, owner)
    const { program, refresh: token } = await connected(doors, owner)
    await throughProxy(async (proxy) => {
      const requests = [
        () => begin(doors, program),
        () => refresh(doors, program, token),
        () => registration(doors),
        () => exchange(doors, waiting.begun, waiting.code),
      ]
      for (const request of requests) {
        proxy.arm({ statement: 1, when: 'before', everything: true })
        const { status, body, headers } = await request()
        await proxy.disarm()
        expect([status, body?.error]).toEqual([503, 'temporarily_unavailable'])
        expect(headers.get('location')).toBeNull()
      }
      for (const request of requests) expect((await request()).status).toBeLessThan(400)
    })
  })
})

describe('a copy of the database', () => {
  it('has no code, no token and no cookie', async () => {
    const owner = await aDuckling()
    const {
      begun,
      code,
      access,
      refresh: token,
      program,
    } = await connected(doors, owner, {
      asks: { scope: 'openid ask profile' },
    })
    const next = await refresh(doors, program, token)
    const waiting = await allowed(doors, owner, { program: await aProgram(doors) })
    const undecided = await begin(doors, program)
    await callTool(doors, access)
    const secrets = [
      code,
      access,
      token,
      next.body.access_token,
      next.body.refresh_token,
      next.body.id_token,
      waiting.code,
      begun.verifier,
      waiting.begun.verifier,
      undecided.consent.browser,
    ].filter((secret) => secret !== undefined)
    const rows = [
      ...(await db().oAuthRecord.findMany()),
      ...(await db().connection.findMany()),
      ...(await db().auditEvent.findMany({ where: { ducklingId: owner.id } })),
      ...(await db().outbox.findMany()),
      ...(await db().oAuthKey.findMany()),
    ]
    const text = rows
      .map(
        (row) =>
          JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)) +
          Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : '',
          ),
      )
      .join('\n')
    expect(secrets.length).toBeGreaterThan(8)
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('has the private key only sealed', async () => {
    await doors.fetch('/oauth/jwks')
    for (const { sealed } of await db().oAuthKey.findMany())
      expect(() => JSON.parse(Buffer.from(sealed).toString())).toThrow()
    const { body } = await doors.fetch('/oauth/jwks')
    const members = body.keys.map((key: object) => Object.keys(key).sort())
    expect(members).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n', 'use'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ])
  })
})

describe('the keys of receipts', () => {
  it('do not have the keys of ID tokens, so a receipt is still accepted', async () => {
    const oauth = (await doors.fetch('/oauth/jwks')).body
    const { body: jwks } = await call('GET /.well-known/jwks.json')
    expect(oauth.keys.map(({ alg }: { alg: string }) => alg)).toEqual(['RS256', 'EdDSA'])
    const kids = jwks.keys.map(({ kid }: { kid: string }) => kid)
    for (const { kid } of oauth.keys) expect(kids).not.toContain(kid)
    expect(new Set(jwks.keys.map(({ kty }: { kty: string }) => kty))).toEqual(new Set(['OKP']))
    const asker = await aDuckling()
    const { peck_id } = await anApprovedPeck(asker, await aDuckling({ tier: 'T2' }))
    const { body } = await call(`GET /beak/peck/receipt?peck_id=${peck_id}`, { token: asker.token })
    expect((await checkReceipt(body, jwks)).ok).toBe(true)
  })
})
