/** What a library of OpenID Connect finds at the authorization server, beside what the recipes for sites use. */
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { answerMcp } from '@/app/mcp/_server/answer'
import { aDuckling } from '@/lib/factories/ducklings'
import { openSecureDoors, passBeak, type SecureDoors } from '@/lib/fixtures/site-browser'
import { aSite } from '@/lib/fixtures/sites'
import { config } from '@/lib/kernel/config'
import { answerOAuth } from './_server/listener'

let doors: SecureDoors
beforeAll(async () => {
  doors = await openSecureDoors({ answerOAuth, answerMcp, answerApi: serve(table), call })
})
afterAll(() => doors.close())

describe.each(['', '/prod'])('below %j', (path) => {
  beforeAll(() => doors.moveTo(path))

  it.each([
    ['client_secret_basic', openid.ClientSecretBasic],
    ['client_secret_post', openid.ClientSecretPost],
  ])(
    'tells openid-client the same in the ID token and in userinfo, with %s, and refuses a wrong secret',
    async (_, way) => {
      const person = await aDuckling()
      const site = await aSite(doors, await aDuckling())
      const { clientId, secret, redirect } = site
      for (const algorithm of ['oidc', 'oauth2'] as const) {
        const open = (text: string) =>
          openid.discovery(new URL(config().baseUrl), clientId, undefined, way(text), { algorithm })
        const known = await open(secret)
        const pkceCodeVerifier = openid.randomPKCECodeVerifier()
        const to = openid.buildAuthorizationUrl(known, {
          redirect_uri: redirect,
          scope: 'openid profile email tier',
          nonce: 'of the site',
          code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
          code_challenge_method: 'S256',
        })
        const { back } = await passBeak(doors, site, to.href, person, ['profile', 'email', 'tier'])
        const exchange = async (client: openid.Configuration, expectedNonce: string) =>
          openid.authorizationCodeGrant(client, back, { pkceCodeVerifier, expectedNonce })
        await expect(exchange(await open('wrong'), 'of the site')).rejects.toMatchObject({ status: 401 })
        const tokens = await exchange(known, 'of the site')
        const claims = decodeJwt(tokens.id_token ?? '')
        const told = await openid.fetchUserInfo(known, tokens.access_token, claims.sub ?? '')
        expect(claims).toMatchObject({ ...told, nonce: 'of the site' })
        const names = ['sub', 'name', 'picture', 'email', 'email_verified', 'tier', 'tier_since']
        expect(Object.keys(told).sort()).toEqual(names.sort())
        expect(told).toMatchObject({ email: person.email, email_verified: true })
        expect(tokens.refresh_token).toBeUndefined()
        await openid.tokenRevocation(known, tokens.access_token)
        expect(await openid.tokenIntrospection(known, tokens.access_token)).toEqual({ active: false })
      }
    },
  )

  it('signs ID tokens of openid-client with EdDSA when the site chose it, and old ones stay hints after a change', async () => {
    const [person, owner] = [await aDuckling(), await aDuckling()]
    const logout = 'https://shop.example/bye'
    const registered = {
      name: 'Shop',
      redirect_uris: ['https://shop.example/callback'],
      post_logout_redirect_uris: [logout],
    }
    const site = await aSite(doors, owner, { ...registered, id_token_signed_response_alg: 'EdDSA' })
    const { clientId, secret, redirect } = site
    const known = await openid.discovery(
      new URL(config().baseUrl),
      clientId,
      { id_token_signed_response_alg: 'EdDSA' },
      openid.ClientSecretBasic(secret),
    )
    openid.enableNonRepudiationChecks(known)
    expect(known.serverMetadata().id_token_signing_alg_values_supported).toEqual(['RS256', 'EdDSA'])
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const to = openid.buildAuthorizationUrl(known, {
      redirect_uri: redirect,
      scope: 'openid profile',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const { back } = await passBeak(doors, site, to.href, person, ['profile'])
    const { id_token: hint = '' } = await openid.authorizationCodeGrant(known, back, { pkceCodeVerifier })
    expect(decodeProtectedHeader(hint).alg).toBe('EdDSA')
    const changed = await doors.call('POST /beak/site/update', {
      token: owner.token,
      body: { ...registered, client_id: clientId },
    })
    expect(changed.body.id_token_signed_response_alg).toBe('RS256')
    const leave = (id_token_hint: string) =>
      fetch(openid.buildEndSessionUrl(known, { id_token_hint, post_logout_redirect_uri: logout }), {
        redirect: 'manual',
      })
    const forged = await new SignJWT(decodeJwt(hint))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(secret))
    for (const wrong of [forged, new UnsecuredJWT(decodeJwt(hint)).encode(), `${hint.slice(0, -6)}AAAAAA`])
      expect((await leave(wrong)).status).toBe(400)
    expect((await leave(hint)).headers.get('location')).toBe(logout)
  })
})
