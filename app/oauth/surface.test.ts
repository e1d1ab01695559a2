/** What strangers send to the addresses of the authorization server, and what stands in the database. */
import { checkReceipt } from '@beak/proofs/receipts/verify'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { throughProxy } from '@/lib/fixtures/database-proxy'
import {
  allow,
  allowed,
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  openDoors,
  redirectUri,
  refresh,
  registration,
  sendWithHeaders,
} from '@/lib/fixtures/programs'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { config } from '@/lib/kernel/config'
import { day, minute } from '@/lib/kernel/runtime/clock'
import { answerOAuth } from './_server/listener'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
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
    ['GET', '/oauth/logout'],
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

  it('of an unknown path is a 404', async () => {
    const { status, body } = await doors.fetch('/oauth/nothing')
    expect([status, body.error]).toEqual([404, 'not_found'])
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

describe('a registration', () => {
  it.each([
    ['a right-to-left mark', '\u202eretto'],
    ['an invisible character', 'Ot\u200bter'],
    ['a line break', 'Otter\nBeak'],
    ['a control character', 'Otter\u0007'],
    ['Cyrillic letters among Latin ones', 'Оtter'],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['no characters', ''],
    ['another type', { name: 'Otter' }],
  ])('with a name of %s is refused', async (_, client_name) => {
    const { status, body } = await registration(doors, { client_name })
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  })

  it('with a name of the service gets it shown only as a claim of the program', async () => {
    const begun = await begin(doors, await aProgram(doors, { client_name: 'Beak support' }))
    const { token } = await aDuckling()
    expect((await call('POST /beak/consent/view', { token, body: begun.consent })).body).toMatchObject({
      client_name: 'Beak support',
      return_host: 'localhost',
    })
    // The agent is listed among those of its owner, so it cannot have such a name.
    expect((await allow(doors, begun, { token }, { agent_name: 'Beak support' })).status).toBe(400)
  })

  it.each([
    ['1,000 redirect addresses', Array.from({ length: 1000 }, (_, at) => `https://a.example/${at}`)],
    ['a redirect address of 10,000 characters', [`https://a.example/${'x'.repeat(10_000)}`]],
    ['none', []],
    ['a text', 'https://a.example/'],
    ['an object', { 0: 'https://a.example/' }],
    ['a number', [1]],
    ['null', [null]],
    ['nothing', undefined],
  ])('with %s as its redirect addresses is refused', async (_, redirect_uris) => {
    const { status, body } = await registration(doors, { redirect_uris })
    expect(status).toBe(400)
    expect(body.error).toMatch(/^invalid_(?:redirect_uri|client_metadata)$/)
  })

  it('keeps only what the service uses', async () => {
    const { body } = await registration(doors, {
      client_id: 'chosen',
      client_secret: 'chosen',
      client_id_issued_at: 1,
      jwks: { keys: [] },
      contacts: ['x'.repeat(20_000)],
      __proto__: { x: 1 },
      constructor: 'x',
      unknown: 'x',
    })
    expect(body.client_id).toMatch(/^[\w-]{43}$/)
    const row = await db().oAuthRecord.findFirstOrThrow({
      where: { kind: 'Client' },
      orderBy: { createdAt: 'desc' },
    })
    expect(JSON.stringify(row.payload).length).toBeLessThan(700)
    expect(JSON.stringify(row.payload)).not.toMatch(/chosen|unknown|contacts|jwks/)
  })

  it('that nobody allows is forgotten after a day, and another one is not', async () => {
    const [forgotten, kept] = [await aProgram(doors), await aProgram(doors)]
    const { refresh: token } = await connected(doors, await aDuckling(), { program: kept })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (day - minute) * 1000 })
    expect((await begin(doors, forgotten)).status).toBe(303)
    vi.setSystemTime(Date.now() + 2 * minute * 1000)
    expect((await begin(doors, forgotten)).body.error).toBe('invalid_client')
    expect((await begin(doors, kept)).status).toBe(303)
    expect((await refresh(doors, kept, token)).status).toBe(200)
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
    for (const key of body.keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('the keys of receipts', () => {
  it('do not have the key of ID tokens, so a receipt is still accepted', async () => {
    const oauth = (await doors.fetch('/oauth/jwks')).body
    const { body: jwks } = await call('GET /.well-known/jwks.json')
    expect(oauth.keys.map(({ kty }: { kty: string }) => kty)).toEqual(['RSA'])
    expect(new Set(jwks.keys.map(({ kty }: { kty: string }) => kty))).toEqual(new Set(['OKP']))
    const asker = await aDuckling()
    const { peck_id } = await anApprovedPeck(asker, await aDuckling({ tier: 'T2' }))
    const { body } = await call(`GET /beak/peck/receipt?peck_id=${peck_id}`, { token: asker.token })
    expect((await checkReceipt(body, jwks)).ok).toBe(true)
  })
})
