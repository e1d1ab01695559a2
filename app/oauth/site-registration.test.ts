/** Sites that register themselves, where the host allows it, and what strangers try with it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { db } from '@/lib/db/client'
import { purge } from '@/lib/domain/retention/purge'
import { aDuckling } from '@/lib/factories/ducklings'
import { inServer } from '@/lib/fixtures/operator'
import { registration } from '@/lib/fixtures/programs'
import { openSecureDoors, passBeak, type SecureDoors } from '@/lib/fixtures/site-browser'
import { aSite, redeem, signedIn, signIn, userinfo, visit } from '@/lib/fixtures/sites'
import { config, useConfig } from '@/lib/kernel/config'
import { day, readClock } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { answerOAuth } from './_server/listener'

let doors: SecureDoors
const usualLimits = config().limits
beforeAll(async () => {
  doors = await openSecureDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
  useConfig({ siteRegistration: true, limits: { ...config().limits, pages: { perMinute: 1e6, burst: 1e6 } } })
})
afterAll(async () => {
  useConfig({ siteRegistration: false, limits: usualLimits })
  await doors.close()
})

const redirect = 'https://cafe.example/callback'

/** Registers as a site does. An undefined member is left out. */
const register = (changes: Record<string, unknown> = {}) =>
  registration(doors, {
    client_name: 'Cafe',
    redirect_uris: [redirect],
    scope: 'openid profile email',
    token_endpoint_auth_method: undefined,
    grant_types: undefined,
    application_type: undefined,
    ...changes,
  })

async function registered(changes: Record<string, unknown> = {}) {
  const { status, body } = await register(changes)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { clientId: body.client_id, secret: body.client_secret, redirect: body.redirect_uris[0] }
}

const rowOf = (id: string) => db().site.findUnique({ where: { id } })

describe.each(['', '/prod'])('openid-client below %j', (path) => {
  it.each(['RS256', 'EdDSA'])('registers itself and signs a person in, with %s', async (alg) => {
    doors.moveTo(path)
    const person = await aDuckling()
    const known = await openid.dynamicClientRegistration(new URL(config().baseUrl), {
      redirect_uris: [redirect],
      scope: 'openid profile',
      id_token_signed_response_alg: alg,
    })
    openid.enableNonRepudiationChecks(known)
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const to = openid.buildAuthorizationUrl(known, {
      redirect_uri: redirect,
      scope: 'openid profile',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const site = { clientId: known.clientMetadata().client_id, secret: '', redirect }
    const { back } = await passBeak(doors, site, to.href, person, ['profile'])
    const tokens = await openid.authorizationCodeGrant(known, back, { pkceCodeVerifier })
    expect(tokens.claims()?.name).toBe(person.displayName)
    doors.moveTo('')
  })
})

describe('a site that registers itself', () => {
  it('is stored with a digest of its secret, under its host and no name, and gets nothing to manage it with', async () => {
    const { body } = await register({ client_name: 'Beak', logo_uri: 'https://cafe.example/logo.svg' })
    expect(body.client_id).toMatch(/^SITE-/)
    expect(body.client_name).toBe('cafe.example')
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['logo_uri']))
    expect(body.registration_access_token).toBeUndefined()
    const row = await rowOf(body.client_id)
    expect(row).toMatchObject({ name: 'cafe.example', selfRegistered: true, ducklingId: null })
    expect(Buffer.from(row?.secretHash ?? []).toString('latin1')).not.toContain(body.client_secret)
    const methods = ['GET', 'PUT', 'DELETE']
    const headers = { Authorization: `Bearer ${body.client_secret}` }
    for (const method of methods) {
      const answer = await doors.fetch(`/oauth/register/${body.client_id}`, { method, headers })
      expect([401, 404]).toContain(answer.status)
    }
    expect(await rowOf(body.client_id)).not.toBeNull()
  })

  it('is shown as one that nobody answers for, and a site of an account is not', async () => {
    const person = await aDuckling()
    const seen = async (site: Awaited<ReturnType<typeof registered>>) => {
      const { consent } = await visit(doors, site, person)
      return (await call('POST /beak/consent/view', { token: person.token, body: consent })).body.site
    }
    expect(await seen(await registered())).toMatchObject({ name: 'cafe.example', self_registered: true })
    expect(await seen(await aSite(doors, person))).toMatchObject({ name: 'Shop', self_registered: false })
  })

  it('is needed nowhere when the host does not allow it', async () => {
    useConfig({ siteRegistration: false })
    const { status, body } = await register()
    useConfig({ siteRegistration: true })
    expect([status, body.client_secret]).toEqual([201, undefined])
    expect(body.client_id).not.toMatch(/^SITE-/)
  })

  it('leaves programs as they are', async () => {
    const programs = [
      { scope: undefined },
      { scope: 'ask openid' },
      { token_endpoint_auth_method: 'none' },
      { scope: 'profile' },
    ]
    for (const program of programs) {
      const { body } = await register({ redirect_uris: ['http://127.0.0.1:4567/callback'], ...program })
      expect(body).toMatchObject({ token_endpoint_auth_method: 'none' })
      expect(body.client_secret).toBeUndefined()
    }
  })

  it('ends a day later when nobody signed in, and after 90 days without a sign-in', async () => {
    const [unused, used] = [await registered(), await registered()]
    const person = await aDuckling()
    await signedIn(doors, used, person)
    const purgeIn = (days: number) => purge(new Date(readClock().getTime() + days * day * 1000))
    await purgeIn(1.1)
    expect(await rowOf(unused.clientId)).toBeNull()
    expect(await rowOf(used.clientId)).not.toBeNull()
    await purgeIn(89.9)
    expect(await rowOf(used.clientId)).not.toBeNull()
    await purgeIn(90.1)
    expect(await rowOf(used.clientId)).toBeNull()
  })

  it('is listed and ended by the operator, with its tokens', async () => {
    const site = await registered()
    const { access } = await signedIn(doors, site, await aDuckling())
    const run = inServer('site')
    expect((await run()).output).toContain(`${site.clientId}  cafe.example  registered itself`)
    expect((await run('--delete', site.clientId)).code).toBe(0)
    expect((await userinfo(doors, access)).status).toBe(401)
  })
})

describe('a stranger who registers a site', () => {
  it.each([
    ['two hosts', { redirect_uris: [redirect, 'https://other.example/'] }],
    ['another host after a sign-out', { post_logout_redirect_uris: ['https://other.example/'] }],
    ['http', { redirect_uris: ['http://cafe.example/'] }],
    ['a scheme of its own', { redirect_uris: ['cafe:/callback'] }],
    ['a user name', { redirect_uris: ['https://beak.example@cafe.example/'] }],
    ['a fragment', { redirect_uris: ['https://cafe.example/#a'] }],
    ['no address', { redirect_uris: undefined }],
    ['a number', { redirect_uris: [1] }],
    ['1,000 addresses', { redirect_uris: Array.from({ length: 1000 }, (_, at) => `${redirect}/${at}`) }],
    ['keys to fetch', { jwks_uri: 'http://169.254.169.254/keys' }],
    ['keys', { jwks: { keys: [] } }],
    ['a sector to fetch', { sector_identifier_uri: 'https://169.254.169.254/sector' }],
    ['the implicit flow', { response_types: ['id_token'] }],
    ['an unsigned ID token', { id_token_signed_response_alg: 'none' }],
    ['a shared key', { id_token_signed_response_alg: 'HS256' }],
  ])('cannot have %s', async (_, changes) => {
    const { status, body } = await register(changes)
    expect(status).toBe(400)
    expect(body.error).toMatch(/^invalid_(?:redirect_uri|client_metadata)$/)
  })

  it('makes the service fetch nothing', async () => {
    let asked = 0
    const server = createServer((_, response) => response.end(String(asked++)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const names = ['logo_uri', 'client_uri', 'jwks_uri', 'sector_identifier_uri', 'backchannel_logout_uri']
    for (const name of names) await register({ [name]: at, redirect_uris: [at] })
    const site = await registered({ request_uris: [at], initiate_login_uri: undefined, redirect_uris: [at] })
    const person = await aDuckling()
    await visit(doors, site, person, { request_uri: at })
    await signedIn(doors, site, person)
    await call('POST /beak/signout', { token: person.token })
    await drainOutbox()
    server.close()
    expect(asked).toBe(0)
  })

  it('cannot be the host of the service, a host below it, or that of a site with an owner', async () => {
    useConfig({ baseUrl: 'https://beak.example', origin: 'https://beak.example' })
    const hosts = ['beak.example', 'beak.example:8443', 'shop.beak.example', 'BEAK.example', 'beak%2eexample']
    for (const host of hosts)
      expect((await register({ redirect_uris: [`https://${host}/callback`] })).status).toBe(400)
    doors.moveTo('')
    await aSite(doors, await aDuckling(), { redirect_uris: ['https://owned.example/callback'] })
    expect((await register({ redirect_uris: ['https://owned.example/mine'] })).status).toBe(400)
  })

  it.each(['Beak', 'Google', 'B\u0435ak', '\u202eretto', 'x'.repeat(10_000), 1])(
    'cannot be called %j',
    async (client_name) => {
      expect(
        (await registered({ client_name, redirect_uris: ['https://xn--bak-tlc.example/'] })).clientId,
      ).toMatch(/^SITE-/)
      const { name } = (await db().site.findFirst({ orderBy: { id: 'desc' } })) ?? {}
      expect(name).toBe('xn--bak-tlc.example')
    },
  )

  it('cannot use this service as a way to its own address before somebody has allowed it', async () => {
    const site = await registered()
    const person = await aDuckling()
    const refused = await visit(doors, site, null, { prompt: 'none' })
    expect([refused.status, refused.location]).toEqual([400, ''])
    const begun = await visit(doors, site, person)
    expect((await signIn(doors, begun, person)).status).toBe(200)
    expect((await visit(doors, site, null, { prompt: 'none' })).location).toContain('error=login_required')
  })

  it('has no way without PKCE or without the secret', async () => {
    const site = await registered()
    const person = await aDuckling()
    const plain = await visit(doors, site, person, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    })
    expect(plain.consent.request).toBe('')
    const { begun, code } = await signedIn(doors, site, person)
    expect((await redeem(doors, { ...site, secret: 'wrong' }, begun, code)).status).toBe(401)
  })

  it('is stopped when it registers many, by its network and by their number', async () => {
    const { limits } = config()
    useConfig({ limits: { ...limits, pages: { perMinute: 60, burst: 180 } } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => register()))
    useConfig({ limits })
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(3)
    expect(new Set(statuses)).toEqual(new Set([201, 429]))
    await db().run`
      INSERT INTO "Site" ("id", "selfRegistered", "name", "host", "redirectUris", "logoutUris", "secretHash", "createdAt", "changedAt")
      SELECT 'SITE-' || n, true, 'x', 'x', '{}', '{}', '\\x00', now(), now() FROM generate_series(1, 1000) n`
    expect((await register()).status).toBe(429)
  })
})
