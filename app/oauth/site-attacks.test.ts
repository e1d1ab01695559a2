/** What a stranger, a site and a program try with the sign-ins of others (RFC 9700, and the negative cases of the OpenID Foundation). */
import { createHmac } from 'node:crypto'
import { createLocalJWKSet, decodeJwt, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anotherSession } from '@/lib/fixtures/accounts'
import {
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  goBack,
  postForm,
  type Reply,
} from '@/lib/fixtures/programs'
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
import { mcpUrl, oauthRoutes } from '@/lib/kernel/request/oauth-paths'
import { openOwnDoors } from './open-doors'

let doors: Doors
let builder: ADuckling
let site: RegisteredSite
let other: RegisteredSite
beforeAll(async () => {
  doors = await openOwnDoors()
  builder = await aDuckling()
  site = await aSite(doors, builder)
  other = await aSite(doors, await aDuckling(), { redirect_uris: ['https://other.example/callback'] })
})
afterAll(() => doors.close())

/** Returns what a site gets, also in the fragment, where the answers of other flows are. */
function back(location: string): URLSearchParams {
  const { search, hash } = new URL(location)
  return new URLSearchParams(search || hash.slice(1))
}
const refused = ({ status, body }: Pick<Reply, 'status' | 'body'>) => [status, body.error]

/** Lets a person sign in, up to the code. */
async function aCode(person: ADuckling, asks: Record<string, string | undefined> = {}) {
  const begun = await visit(doors, site, person, asks)
  const { body } = await signIn(doors, begun, person)
  return { begun, code: (await goBack(doors, begun, body.continue)).get('code') ?? '' }
}

describe('a code of a site', () => {
  // oidcc-codereuse, oidcc-codereuse-30seconds
  it('used again is refused, and ends the tokens of the first use', async () => {
    const { begun, code, access } = await signedIn(doors, site, await aDuckling())
    expect((await userinfo(doors, access)).status).toBe(200)
    expect(refused(await redeem(doors, site, begun, code))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(doors, access)).status).toBe(401)
  })

  it('exchanged 50 times at once gives tokens once', async () => {
    const { begun, code } = await aCode(await aDuckling())
    const replies = await Promise.all(Array.from({ length: 50 }, () => redeem(doors, site, begun, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
  })

  it('gives nothing to others, without the secret, or without the verifier', async () => {
    const { begun, code } = await aCode(await aDuckling())
    const strange = await aCode(await aDuckling())
    const wrong: Record<string, string | undefined>[] = [
      { client_id: other.clientId, client_secret: other.secret },
      { client_id: other.clientId, client_secret: other.secret, redirect_uri: other.redirect },
      { client_id: (await aProgram(doors)).clientId, client_secret: undefined },
      // A site is no public program.
      { client_secret: undefined },
      { client_secret: '' },
      { client_secret: `${site.secret}x` },
      { client_secret: other.secret },
      { code_verifier: undefined },
      { code_verifier: '' },
      { code_verifier: strange.begun.verifier },
      { code: strange.code },
      { redirect_uri: `${site.redirect}/` },
      { grant_type: 'refresh_token', refresh_token: code },
      { grant_type: 'client_credentials' },
      { grant_type: 'password' },
    ]
    for (const changes of wrong) {
      const { status, body } = await redeem(doors, site, begun, code, changes)
      expect([changes, [400, 401].includes(status), body.access_token]).toEqual([changes, true, undefined])
    }
    const good = await redeem(doors, site, begun, code)
    expect(good.status).toBe(200)
    expect(good.body.refresh_token).toBeUndefined()
  })

  it('of a program gives nothing to a site', async () => {
    const program = await aProgram(doors)
    const begun = await begin(doors, program)
    const person = await aDuckling()
    const body = { ...begun.consent, scopes: ['ask'], agent_name: 'Otter' }
    expect((await signIn(doors, begun, person)).status).toBe(404)
    const { body: decided } = await call('POST /beak/consent/allow', { token: person.token, body })
    const code = (await goBack(doors, begun, decided.continue)).get('code') ?? ''
    const taken = { client_id: site.clientId, client_secret: site.secret }
    expect(refused(await exchange(doors, begun, code, taken))).toEqual([400, 'invalid_grant'])
  })
})

describe('a session whose passkey was removed', () => {
  /** A session that only another passkey than the owner's has confirmed, with what it gets at the site before and after the removal. */
  async function removed(asks: Record<string, string> = {}) {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    const theirs = await aPasskey(owner)
    const thief = through(owner, await anotherSession(owner))
    await confirmWithPasskey(thief, theirs.authenticator)
    await signedIn(doors, site, thief, { asks })
    const back = async () => (await visit(doors, site, thief, { ...asks, prompt: 'none' })).location
    const before = codeIn(await back())
    const { token } = owner
    const body = { passkey_id: theirs.id }
    expect((await call('POST /beak/passkey/remove', { token, body })).status).toBe(200)
    return { before, after: new URL(await back()).searchParams.get('error') }
  }

  // security: session-23
  it.each([
    ['at any site', {}, 'consent_required'],
    ['where a passkey is demanded', { acr_values: 'phr' }, 'login_required'],
  ])('does not go on signing in: %s', async (_, asks, error) => {
    const { before, after } = await removed(asks)
    expect([before.length > 0, after]).toEqual([true, error])
  })
})

describe('a request of a site', () => {
  // oidcc-prompt-none-not-logged-in, oidcc-unsigned-request-object, oidcc-response-type-missing and others
  it.each<[string, Record<string, string | undefined>]>([
    ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['request_not_supported', { request: 'e30.e30.' }],
    ['request_uri_not_supported', { request_uri: 'http://127.0.0.1:1/x' }],
    ['registration_not_supported', { registration: '{}' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { prompt: 'none consent' }],
    ['invalid_request', { prompt: 'whatever' }],
    ['invalid_request', { max_age: '-1' }],
    ['invalid_request', { max_age: 'soon' }],
    ['invalid_request', { max_age: '1e400' }],
    ['invalid_target', { resource: mcpUrl() }],
    ['invalid_request', { id_token_hint: 'x.y.z' }],
  ])('is answered with %s for %j', async (error, asks) => {
    const { location } = await visit(doors, site, builder, asks)
    const answer = back(location)
    expect([answer.get('error'), answer.get('state')]).toEqual([error, 'here'])
    expect([answer.get('iss'), answer.get('code')]).toEqual([config().baseUrl, null])
  })

  it('gets no scope of a program, no refresh token and no resource', async () => {
    const asks = { scope: 'openid ask profile ask:others activity offline_access made-up', prompt: 'consent' }
    const { tokens, access } = await signedIn(doors, site, await aDuckling(), { asks })
    expect(tokens.body.scope.split(' ').sort()).toEqual(['openid', 'profile'])
    expect(tokens.body.refresh_token).toBeUndefined()
    expect((await callTool(doors, access)).status).toBe(401)
    expect((await call('GET /beak/profile', { token: access })).status).toBe(401)
  })

  it('does not widen what was ticked, by the parameter "claims" or by ticks that it did not ask for', async () => {
    const asks = {
      claims: JSON.stringify({
        userinfo: { email: { essential: true } },
        id_token: { certificate_id: null },
      }),
    }
    const scopes = ['profile', 'email', 'certificate', 'handle', 'tier']
    const { idToken, access } = await signedIn(doors, site, await aDuckling(), { asks, scopes })
    for (const told of [decodeJwt(idToken), (await userinfo(doors, access)).body])
      for (const claim of ['email', 'certificate_id', 'tier', 'preferred_username'])
        expect(told).not.toHaveProperty(claim)
  })

  it('gets its own nonce and state, and takes the largest "max_age"', async () => {
    const person = await aDuckling()
    const asks = { nonce: 'n/&%', state: 's/&%', max_age: String(Number.MAX_SAFE_INTEGER), prompt: 'consent' }
    const begun = await visit(doors, site, person, asks)
    const decided = await signIn(doors, begun, person)
    expect(decided.status).toBe(200)
    const answer = await goBack(doors, begun, decided.body.continue)
    expect([answer.get('state'), answer.get('iss')]).toEqual(['s/&%', config().baseUrl])
    const { body } = await redeem(doors, site, begun, answer.get('code') ?? '')
    expect(decodeJwt(body.id_token).nonce).toBe('n/&%')
  })
})

describe('a token', () => {
  it('of a program is nothing to a site, and that of a site nothing to others', async () => {
    const person = await aDuckling()
    const { access } = await signedIn(doors, site, person)
    const program = await connected(doors, person, { asks: { scope: 'openid profile ask' } })
    const asApi = await connected(doors, person, {
      asks: { scope: 'openid profile ask', resource: `${config().baseUrl}/beak` },
    })
    for (const token of [program.access, asApi.access, program.refresh, person.token])
      expect([401, 403]).toContain((await userinfo(doors, token)).status)
    const ask = (path: string, token: string, client: RegisteredSite | null) =>
      postForm(doors, path, {
        token,
        client_id: client?.clientId ?? program.program.clientId,
        client_secret: client?.secret,
      })
    const introspect = async (token: string, client: RegisteredSite | null) =>
      (await ask(oauthRoutes.introspection, token, client)).body.active
    expect(await introspect(access, site)).toBe(true)
    for (const client of [other, null]) expect(await introspect(access, client)).toBe(false)
    for (const token of [program.access, program.refresh]) expect(await introspect(token, site)).toBe(false)
    expect((await ask(oauthRoutes.introspection, access, { ...site, secret: 'x' })).status).toBe(401)
    for (const client of [other, null]) await ask(oauthRoutes.revocation, access, client)
    await ask(oauthRoutes.revocation, program.access, site)
    expect((await userinfo(doors, access)).status).toBe(200)
    expect((await callTool(doors, program.access)).status).toBe(200)
  })

  it('hint that is forged, or of another site or person, signs nobody in and out', async () => {
    const person = await aDuckling()
    const { idToken, access } = await signedIn(doors, site, person)
    const elsewhere = await signedIn(doors, other, person)
    const stranger = await signedIn(doors, site, await aDuckling())
    const claims = decodeJwt(idToken)
    const { keys } = (await doors.fetch(oauthRoutes.jwks)).body
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const hmac = (key: string) => {
      const text = `${part({ alg: 'HS256', kid: keys[0].kid })}.${part(claims)}`
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    }
    const { privateKey } = await generateKeyPair('RS256')
    const forged = [
      `${part({ alg: 'none' })}.${part(claims)}.`,
      hmac(JSON.stringify(keys[0])),
      hmac(site.secret),
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keys[0].kid }).sign(privateKey),
      `${idToken.slice(0, -4)}AAAA`,
    ]
    const leave = (id_token_hint: string, more = {}) =>
      postForm(doors, oauthRoutes.end_session, { id_token_hint, ...more })
    for (const hint of forged) {
      expect(
        back((await visit(doors, site, person, { id_token_hint: hint })).location).get('code'),
      ).toBeNull()
      expect((await leave(hint)).status).toBe(400)
    }
    const none = { prompt: 'none' }
    for (const hint of [elsewhere.idToken, stranger.idToken])
      expect(codeIn((await visit(doors, site, person, { ...none, id_token_hint: hint })).location)).toBe('')
    expect((await leave(idToken, { client_id: other.clientId })).status).toBe(400)
    expect((await leave(elsewhere.idToken)).status).toBe(303)
    expect((await userinfo(doors, access)).status).toBe(200)
    expect(codeIn((await visit(doors, site, person, { ...none, id_token_hint: idToken })).location)).not.toBe(
      '',
    )
    await jwtVerify(idToken, createLocalJWKSet({ keys }), { audience: site.clientId })
  })
})
