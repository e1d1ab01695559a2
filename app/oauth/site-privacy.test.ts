import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { duckSvg } from '@/components/duck-art'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { resumeAccount, suspendAccount } from '@/lib/domain/accounts/suspend'
import { endOld } from '@/lib/domain/backup/end-old'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type Doors, postForm } from '@/lib/fixtures/programs'
import { aSite, type RegisteredSite, signedIn, userinfo, visit } from '@/lib/fixtures/sites'
import { useConfig } from '@/lib/kernel/config'
import { hostContext } from '@/lib/kernel/request/context'
import { oauthRoutes } from '@/lib/kernel/request/oauth-paths'
import { readClock } from '@/lib/kernel/runtime/clock'
import { openOwnDoors } from './open-doors'

let doors: Doors
let builder: ADuckling
let person: ADuckling
beforeAll(async () => {
  doors = await openOwnDoors()
})
beforeEach(async () => {
  builder = await aDuckling()
  person = await aDuckling()
})
afterAll(() => doors.close())

const post = (line: string, body: object, { token }: { token: string }) =>
  call(`POST /beak/${line}`, { token, body })
const register = (changes: object, { token } = builder) =>
  post(
    'site/register',
    { name: 'Shop', redirect_uris: ['https://shop.example/callback'], ...changes },
    { token },
  )

const hostOf = ({ id }: ADuckling) => hostContext({ id, trustTier: 'T1' }, readClock())

/** Returns all texts and numbers in a value, also those in tokens and addresses. */
function valuesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn)
  const text = String(value)
  return [text, ...(text.match(/[\w-]{16,}/g) ?? [])]
}

describe('two sites', () => {
  it('that ask for all but what names the person everywhere get no value that both have', async () => {
    const [one, two] = [
      await aSite(doors, builder),
      await aSite(doors, builder, { redirect_uris: ['https://other.example/callback'] }),
    ]
    const toldTo = async (site: RegisteredSite) => {
      const scope = 'openid profile email tier handle certificate offline_access'
      const { access, idToken, tokens, begun } = await signedIn(doors, site, person, {
        asks: { scope, nonce: site.clientId },
        scopes: ['profile', 'tier'],
      })
      const token = { token: access, client_id: site.clientId, client_secret: site.secret }
      const { body: seen } = await postForm(doors, oauthRoutes.introspection, token)
      const { body: claims } = await userinfo(doors, access)
      // Many ducks have the same wing. The drawing says only what the subject says.
      expect((await doors.fetch(claims.picture)).text).toBe(duckSvg(claims.sub, false))
      return valuesIn([tokens.body, decodeJwt(idToken), seen, claims, begun.location])
    }
    const [first, second] = [await toldTo(one), new Set(await toldTo(two))]
    // The same for everybody, or at least for everybody who signed up that day.
    const constants = [
      'Bearer',
      'true',
      'T1',
      '900',
      'openid profile tier',
      person.displayName,
      'http://localhost:3000',
    ]
    const day = readClock().toISOString().slice(0, 10)
    const shared = [...new Set(first)].filter(
      (value) => second.has(value) && ![...constants, day, 'otp'].includes(value),
    )
    // The seconds of the requests, and that of the sign-in, which OpenID Connect asks for.
    const isTime = (value: string) => Math.abs(Number(value) - Date.now() / 1000) < 2000
    expect(shared.filter((value) => !isTime(value) && !/^(?:<svg|eyJhbGci)/.test(value))).toEqual([])
    for (const told of [first, [...second]])
      for (const secret of [person.id, person.email]) expect(told.join(' ')).not.toContain(secret)
  })
})

describe('the secret of a site', () => {
  it('stands in no row and in no later answer', async () => {
    const site = await aSite(doors, builder)
    const changed = { client_id: site.clientId, name: 'Shop', redirect_uris: [site.redirect] }
    const { body } = await post('site/update', { ...changed, new_secret: true }, builder)
    const listed = await call('GET /beak/site/list', { token: builder.token })
    const exported = await call('GET /beak/account/export', { token: builder.token })
    expect(exported.status).toBe(200)
    const rows = [
      await db().auditEvent.findMany({ where: { ducklingId: builder.id } }),
      await db().outbox.findMany(),
    ]
    const row = await db().site.findUniqueOrThrow({ where: { id: site.clientId } })
    const text = JSON.stringify([rows, listed.body, exported.body, row], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    for (const secret of [site.secret, body.client_secret]) {
      expect(secret).toMatch(/^[\w-]{20,}$/)
      expect(text).not.toContain(secret)
      expect(Buffer.from(row.secretHash).toString('latin1')).not.toContain(secret)
    }
  })
})

describe('the registration of a site', () => {
  it.each([
    'Beak',
    'Beak Support',
    'Веак',
    'Shop\u202eelgoog',
    'Pаypal',
    'Shop\u200b',
    '𝐒𝐡𝐨𝐩',
    'a\nb',
    '',
    ' ',
  ])('refuses the name %j', async (name) => {
    expect((await register({ name })).status).toBe(400)
  })

  it('takes addresses of one host only, and shows a name of another alphabet as browsers send it', async () => {
    const away = 'https://evil.example/callback'
    const own = 'https://shop.example/callback'
    for (const changes of [
      { redirect_uris: [own, away] },
      { redirect_uris: [own, 'https://shop.example:8443/callback'] },
      { post_logout_redirect_uris: [away] },
      { backchannel_logout_uri: away },
    ])
      expect((await register(changes)).status).toBe(400)
    const { body } = await register({ redirect_uris: ['https://shоp.example/callback'] })
    expect(body.host).toBe('xn--shp-ted.example')
  })

  it('refuses receivers of sign-outs that are inside the network', async () => {
    useConfig({ webhookAllowPrivate: false })
    onTestFinished(() => useConfig({ webhookAllowPrivate: true }))
    for (const host of ['169.254.169.254', '10.0.0.1', '[fd00::1]', '0x7f.1', 'localhost'])
      for (const address of [`https://${host}/x`])
        expect([
          host,
          (await register({ redirect_uris: [address], backchannel_logout_uri: address })).status,
        ]).toEqual([host, 400])
  })

  it('stops at 20 sites, also of 50 at once', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => register({})))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(await db().site.count({ where: { ducklingId: builder.id } })).toBe(20)
  })

  it('is changed and deleted by its owner only, and needs T1 and a recent proof', async () => {
    const site = await aSite(doors, builder)
    const change = {
      client_id: site.clientId,
      name: 'Mine',
      redirect_uris: [site.redirect],
      new_secret: true,
    }
    expect((await post('site/update', change, person)).status).toBe(404)
    expect((await post('site/delete', { client_id: site.clientId }, person)).status).toBe(404)
    expect((await register({}, await aDuckling({ tier: 'T0' }))).status).toBe(403)
    const { sessionId } = (await builder.context()).caller
    await db().session.update({ where: { id: sessionId }, data: { authTime: new Date(0) } })
    expect((await register({})).status).toBe(403)
    expect((await post('site/update', change, builder)).status).toBe(403)
    expect((await post('site/delete', { client_id: site.clientId }, builder)).status).toBe(403)
  })
})

describe('the owner of a site', () => {
  it('who is suspended signs nobody in until the host resumes it', async () => {
    const site = await aSite(doors, builder)
    const { access } = await signedIn(doors, site, person)
    await suspendAccount(hostOf(builder), null)
    expect((await userinfo(doors, access)).status).toBe(401)
    expect((await visit(doors, site, person)).status).toBe(400)
    await resumeAccount(hostOf(builder))
    expect((await userinfo(doors, access)).status).toBe(200)
  })
})

describe('an export', () => {
  it('has the sites of the account, where it signs in, and as whom', async () => {
    const own = await aSite(doors, builder)
    const { idToken } = await signedIn(doors, own, person, { asks: { scope: 'openid profile email' } })
    const read = async ({ token }: ADuckling) => (await call('GET /beak/account/export', { token })).body
    expect((await read(builder)).sites).toMatchObject([{ client_id: own.clientId, host: 'shop.example' }])
    const { sites, site_consents, site_subjects } = await read(person)
    const consent = { site_id: own.clientId, scopes: ['profile'], refused: ['email'] }
    expect([sites, site_consents]).toMatchObject([[], [consent]])
    expect(site_subjects).toEqual([{ host: 'shop.example', subject: decodeJwt(idToken).sub }])
  })
})

describe('a restored backup', () => {
  it('keeps no sign-in, no secret and nothing that sites may learn, and the subjects', async () => {
    await signedIn(doors, await aSite(doors, builder), person)
    const sites = await db().site.count()
    const where = { where: { ducklingId: person.id } }
    const counted = new Map<string, number>()
    const restoring = transaction(async (tx) => {
      const now = readClock()
      await endOld(tx, now.toISOString(), now)
      counted.set('sign-ins', await tx.siteSignIn.count(where))
      counted.set('consents', await tx.siteConsent.count(where))
      counted.set('subjects', await tx.siteSubject.count(where))
      counted.set('ended secrets', (await tx.site.count({ where: { secretHash: new Uint8Array() } })) - sites)
      throw new Error('nothing of it stays')
    })
    await expect(restoring).rejects.toThrow('nothing of it stays')
    expect(Object.fromEntries(counted)).toEqual({
      'sign-ins': 0,
      consents: 0,
      subjects: 1,
      'ended secrets': 0,
    })
  })
})

describe('a site whose secret ended with a restore', () => {
  it('exchanges no code, is shown as such, and works with the next secret', async () => {
    const own = await aSite(doors, builder)
    const change = { name: 'Shop', redirect_uris: [own.redirect], client_id: own.clientId }
    await db().site.update({ where: { id: own.clientId }, data: { secretHash: new Uint8Array() } })
    const ended = async () =>
      (await call('GET /beak/site/list', { token: builder.token })).body.items.find(
        ({ client_id }: { client_id: string }) => client_id === own.clientId,
      ).secret_ended
    expect(await ended()).toBe(true)
    for (const secret of [own.secret, 'ended', ''])
      await expect(signedIn(doors, { ...own, secret }, person)).rejects.toThrow('invalid_client')
    const body = { ...change, new_secret: true }
    const { client_secret } = (await call('POST /beak/site/update', { token: builder.token, body })).body
    expect((await signedIn(doors, { ...own, secret: client_secret }, person)).tokens.status).toBe(200)
    expect(await ended()).toBe(false)
  })
})

describe('the end of a site', () => {
  it('reads its sign-ins by an index', async () => {
    const plan = await transaction(async (tx) => {
      await tx.run`SET LOCAL enable_seqscan = off`
      return tx.rows<Record<string, string>>`EXPLAIN DELETE FROM "SiteSignIn" WHERE "siteId" = 'x'`
    })
    expect(plan.map((line) => Object.values(line)[0]).join('\n')).toContain('SiteSignIn_siteId_idx')
  })
})
