/** People sign in at sites: the consent, the claims, and the ends. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { idTokenAlgs } from '@/lib/domain/oauth/site-schema'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anotherSession } from '@/lib/fixtures/accounts'
import { type Doors, goBack } from '@/lib/fixtures/programs'
import {
  aSite,
  codeIn,
  type RegisteredSite,
  redeem,
  signedIn,
  signIn,
  userinfo,
  visit,
} from '@/lib/fixtures/sites'
import { config } from '@/lib/kernel/config'
import { day } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { openOwnDoors } from './open-doors'

let doors: Doors
let builder: ADuckling
let site: RegisteredSite
beforeAll(async () => {
  doors = await openOwnDoors()
  builder = await aDuckling()
  site = await aSite(doors, builder)
})
afterAll(() => doors.close())

const statusOf = async (access: string) => (await userinfo(doors, access)).status
const errorIn = (location: string) => new URL(location).searchParams.get('error')

describe('a sign-in', () => {
  it('tells the site what was ticked, and nothing else', async () => {
    const person = await aDuckling()
    const asks = { scope: 'openid profile email tier handle certificate' }
    const { idToken, access } = await signedIn(doors, site, person, { asks, scopes: ['profile', 'tier'] })
    const keys = (await doors.fetch('/oauth/jwks')).body
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
      issuer: config().baseUrl,
      audience: site.clientId,
    })
    const told = { sub: expect.stringMatching(/^[\w-]{22}$/), name: person.displayName, tier: 'T1' }
    expect(payload).toMatchObject({ ...told, nonce: 'once', auth_time: expect.any(Number) })
    const { body } = await userinfo(doors, access)
    const { picture, tier_since, ...rest } = body
    expect(rest).toEqual({ ...told, sub: payload.sub })
    expect(Math.abs(Date.now() - Date.parse(tier_since))).toBeLessThan(day * 1000 + 600_000)
    expect(tier_since).toMatch(/^\d{4}-\d\d-\d\d$/)
    const drawn = await doors.fetch(picture)
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    for (const told of [JSON.stringify(payload), JSON.stringify(body)]) {
      expect(told).not.toContain(person.id)
      expect(told).not.toContain(person.email)
    }
  })

  it('names the person differently at each host, and the same at the sites of one', async () => {
    const person = await aDuckling()
    const other = await aSite(doors, builder, { redirect_uris: ['https://other.example/callback'] })
    const same = await aSite(doors, await aDuckling())
    const subjects = []
    for (const at of [site, other, same])
      subjects.push(decodeJwt((await signedIn(doors, at, person)).idToken).sub)
    expect(subjects[0]).not.toBe(subjects[1])
    expect(subjects[0]).toBe(subjects[2])
  })

  it('goes on without the page when the person has allowed it before, in this session', async () => {
    const person = await aDuckling()
    await signedIn(doors, site, person)
    for (const prompt of [undefined, 'none']) {
      const again = await visit(doors, site, person, { prompt })
      expect((await redeem(doors, site, again, codeIn(again.location))).status).toBe(200)
    }
    // Without a session, for more, or on demand, the page asks.
    const asking: [ADuckling | null, Record<string, string>, string][] = [
      [null, {}, 'login_required'],
      [person, { scope: 'openid profile email' }, 'consent_required'],
      [person, { acr_values: 'phr' }, 'login_required'],
    ]
    for (const [who, asks, error] of asking) {
      expect((await visit(doors, site, who, asks)).location).toMatch(/^\/connect\/allow\//)
      expect(errorIn((await visit(doors, site, who, { ...asks, prompt: 'none' })).location)).toBe(error)
    }
    for (const prompt of ['login', 'consent'])
      expect((await visit(doors, site, person, { prompt })).location).toMatch(/^\/connect\/allow\//)
  })

  it('offers no handle and no certificate to a person who has none, also not for later', async () => {
    const person = await aDuckling()
    const asks = { scope: 'openid profile handle certificate' }
    const first = await visit(doors, site, person, asks)
    const seen = await call('POST /beak/consent/view', { token: person.token, body: first.consent })
    expect(seen.body.site).toMatchObject({ scopes: ['profile'], missing: ['handle', 'certificate'] })
    await signIn(doors, first, person, ['profile', 'handle', 'certificate'])
    const [{ scopes } = {}] = (await call('GET /beak/consent/list', { token: person.token })).body.items
    expect(scopes).toEqual(['profile'])
    // It does not ask each time for what the person cannot give.
    expect(codeIn((await visit(doors, site, person, asks)).location)).not.toBe('')
  })

  it('needs the address of the site, also when it has only one', async () => {
    const begun = await visit(doors, site, await aDuckling(), { redirect_uri: undefined })
    expect([begun.status, begun.body?.error]).toEqual([400, 'invalid_request'])
  })

  it('shows what the site asks, and asks less when it knows more', async () => {
    const person = await aDuckling()
    const asks = { scope: 'openid profile email' }
    const first = await visit(doors, site, person, asks)
    const seen = await call('POST /beak/consent/view', { token: person.token, body: first.consent })
    expect(seen.body.site).toEqual({
      name: 'Shop',
      host: 'shop.example',
      self_registered: false,
      scopes: ['profile', 'email'],
      missing: [],
      allowed: [],
      allowed_at: null,
      passkey_missing: false,
    })
    const { body } = await signIn(doors, first, person, ['email', 'certificate'])
    expect((await goBack(doors, first, body.continue)).get('iss')).toBe(config().baseUrl)
    const listed = await call('GET /beak/consent/list', { token: person.token })
    expect(listed.body.items).toMatchObject([
      { site_id: site.clientId, scopes: ['email'], last_used_at: null },
    ])
  })
})

describe('a sign-in ends', () => {
  it('with the session, at once', async () => {
    const person = await aDuckling()
    const { access } = await signedIn(doors, site, person)
    expect(await statusOf(access)).toBe(200)
    await call('POST /beak/signout', { token: person.token })
    expect(await statusOf(access)).toBe(401)
  })

  it('with what the site may learn, in all sessions', async () => {
    const person = await aDuckling()
    const other = await anotherSession(person)
    const tokens = [await signedIn(doors, site, person), await signedIn(doors, site, { token: other })]
    const body = { site_id: site.clientId }
    expect((await call('POST /beak/consent/revoke', { token: person.token, body })).status).toBe(200)
    for (const { access } of tokens) expect(await statusOf(access)).toBe(401)
    expect((await visit(doors, site, person)).location).toMatch(/^\/connect\/allow\//)
    expect((await call('POST /beak/consent/revoke', { token: person.token, body })).status).toBe(404)
  })

  it('in the other sessions when the person allows less', async () => {
    const person = await aDuckling()
    const other = await anotherSession(person)
    const asks = { scope: 'openid profile email', prompt: 'consent' }
    const both = { asks, scopes: ['profile', 'email'] }
    const elsewhere = await signedIn(doors, site, { token: other }, both)
    const here = await signedIn(doors, site, person, both)
    await signedIn(doors, site, person, { asks, scopes: ['profile'] })
    expect(await statusOf(elsewhere.access)).toBe(401)
    const { status, body } = await userinfo(doors, here.access)
    expect([status, body.name, body.email]).toEqual([200, person.displayName, undefined])
  })

  it('for what the person no longer allows, also when a request of before stores more', async () => {
    const person = await aDuckling()
    const asks = { scope: 'openid profile email' }
    const { access } = await signedIn(doors, site, person, { asks, scopes: ['profile', 'email'] })
    const later = await visit(doors, site, person, asks)
    const where = { ducklingId: person.id, siteId: site.clientId }
    await db().siteConsent.updateMany({ where, data: { scopes: ['profile'] } })
    expect((await userinfo(doors, access)).body).toMatchObject({ name: person.displayName })
    expect((await userinfo(doors, access)).body).not.toHaveProperty('email')
    const { body } = await redeem(doors, site, later, codeIn(later.location))
    expect(decodeJwt(body.id_token)).not.toHaveProperty('email')
  })

  it('for good for what a decision takes away, whatever another one decides at the same time', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const person = await aDuckling()
      await signedIn(doors, site, person, {
        asks: { scope: 'openid profile email' },
        scopes: ['profile', 'email'],
      })
      const [less, same] = [
        await visit(doors, site, person, { scope: 'openid email', prompt: 'consent' }),
        await visit(doors, site, person, { scope: 'openid profile', prompt: 'consent' }),
      ]
      const decided = [signIn(doors, less, person, []), signIn(doors, same, person, ['profile'])]
      expect((await Promise.all(decided)).map(({ status }) => status)).toEqual([200, 200])
      const { body } = await call('GET /beak/consent/list', { token: person.token })
      expect(body.items[0].scopes).toEqual(['profile'])
    }
  })

  it('with the site', async () => {
    const [owner, person] = [await aDuckling(), await aDuckling()]
    const own = await aSite(doors, owner)
    const { access } = await signedIn(doors, own, person)
    const body = { client_id: own.clientId }
    expect((await call('POST /beak/site/delete', { token: person.token, body })).status).toBe(404)
    expect((await call('POST /beak/site/delete', { token: owner.token, body })).status).toBe(200)
    expect(await statusOf(access)).toBe(401)
    expect((await call('GET /beak/site/list', { token: owner.token })).body.items).toEqual([])
  })

  it('when the person signs out at the site, and only there', async () => {
    const person = await aDuckling()
    const address = 'https://shop.example/bye'
    const own = await aSite(doors, builder, { post_logout_redirect_uris: [address] })
    const { access, idToken } = await signedIn(doors, own, person)
    const leave = (parameters: Record<string, string>) =>
      doors.fetch(`/oauth/logout?${new URLSearchParams(parameters)}`)
    const asked = `${config().baseUrl}/connect/signed-out?asked`
    const clients: Record<string, string>[] = [{ client_id: own.clientId }, {}, { client_id: 'x' }]
    for (const client of clients) {
      const stranger = await leave({ ...client, post_logout_redirect_uri: address, state: 'x' })
      expect([stranger.headers.get('location'), await statusOf(access)]).toEqual([asked, 200])
    }
    const left = await leave({ id_token_hint: idToken, post_logout_redirect_uri: address, state: 'x' })
    expect(left.headers.get('location')).toBe(`${address}?state=x`)
    expect(await statusOf(access)).toBe(401)
    expect((await call('GET /beak/profile', { token: person.token })).status).toBe(200)
    // A late message about the end does not mean the next sign-in.
    const again = await signedIn(doors, own, person)
    expect(decodeJwt(again.idToken).sid).not.toBe(decodeJwt(idToken).sid)
  })
})

describe('a site', () => {
  it('is not at the host of this service, and no address of it has a user name or a fragment', async () => {
    const addresses = [
      `${config().baseUrl}/callback`,
      'https://a@shop.example/',
      'https://shop.example/#a',
      'http://shop.example/',
    ]
    for (const address of addresses) {
      const body = { name: 'Shop', redirect_uris: [address] }
      const { status } = await call('POST /beak/site/register', { token: builder.token, body })
      expect([address, status]).toEqual([address, 400])
    }
  })

  it('changes its addresses at its host, and its secret', async () => {
    const own = await aSite(doors, builder)
    const change = (redirect: string, new_secret = false) =>
      call('POST /beak/site/update', {
        token: builder.token,
        body: { client_id: own.clientId, name: 'Shop', redirect_uris: [redirect], new_secret },
      })
    expect((await change('https://evil.example/callback')).status).toBe(400)
    const { body } = await change('https://shop.example/new', true)
    const begun = await visit(doors, { ...own, redirect: 'https://shop.example/new' }, builder)
    const decided = await signIn(doors, begun, builder)
    const code = (await goBack(doors, begun, decided.body.continue)).get('code') ?? ''
    const changed = { ...own, redirect: 'https://shop.example/new' }
    expect((await redeem(doors, changed, begun, code)).status).toBe(401)
    expect((await redeem(doors, { ...changed, secret: body.client_secret }, begun, code)).status).toBe(200)
  })
})

it('says in the other sessions of its owner whether a site was changed or deleted', async () => {
  const owner = await aDuckling()
  const token = await anotherSession(owner)
  const own = await aSite(doors, owner)
  const body = { client_id: own.clientId, name: 'Shop', redirect_uris: ['https://shop.example/new'] }
  const newest = async () => {
    const { recent_changes } = (await call('GET /beak/profile/overview', { token: owner.token })).body
    return recent_changes.map(({ change }: { change: string }) => change)
  }
  expect((await call('POST /beak/site/update', { token, body })).status).toBe(200)
  expect(await newest()).toEqual(['site_changed'])
  const gone = await call('POST /beak/site/delete', { token, body: { client_id: own.clientId } })
  expect(gone.status).toBe(200)
  expect(await newest()).toEqual(expect.arrayContaining(['site_changed', 'site_deleted']))
})

describe.each(idTokenAlgs)('a site that wants to know, with %s', (alg) => {
  it('gets a logout token when a sign-in ends, and nothing for a person who never signed in', async () => {
    const received: string[] = []
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => (text += chunk))
      request.on('end', () => {
        received.push(text)
        response.writeHead(received.length === 1 ? 503 : 200).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const own = await aSite(doors, builder, {
      redirect_uris: [`${host}/callback`],
      backchannel_logout_uri: `${host}/logout`,
      id_token_signed_response_alg: alg,
    })
    const [person, passing] = [await aDuckling(), await aDuckling()]
    const { idToken } = await signedIn(doors, own, person)
    await signIn(doors, await visit(doors, own, passing), passing)
    await call('POST /beak/signout', { token: passing.token })
    await call('POST /beak/signout', { token: person.token })
    await drainOutbox()
    expect(received).toHaveLength(1)
    await db().run`UPDATE "Outbox" SET "dueAt" = now() WHERE "kind" = 'site_logout'`
    await drainOutbox()
    server.close()
    expect(received).toHaveLength(2)
    const token = new URLSearchParams(received[1]).get('logout_token') ?? ''
    const keys = (await doors.fetch('/oauth/jwks')).body
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms: [alg],
      issuer: config().baseUrl,
      audience: own.clientId,
      typ: 'logout+jwt',
    })
    const { sub, sid } = decodeJwt(idToken)
    expect(payload).toMatchObject({
      sub,
      sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    expect(payload).not.toHaveProperty('nonce')
  })
})
