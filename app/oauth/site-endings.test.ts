import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { suspendAccount } from '@/lib/domain/accounts/suspend'
import { endSessionsByHost } from '@/lib/domain/sessions/end'
import { endBatchSignedBy } from '@/lib/domain/sessions/revoke'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import { type Doors, goBack } from '@/lib/fixtures/programs'
import { rotateTestSecret } from '@/lib/fixtures/secrets'
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
import { useConfig } from '@/lib/kernel/config'
import { hostContext } from '@/lib/kernel/request/context'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { openOwnDoors } from './open-doors'

let doors: Doors
let builder: ADuckling
let site: RegisteredSite
let person: ADuckling
beforeAll(async () => {
  doors = await openOwnDoors()
  builder = await aDuckling()
  site = await aSite(doors, builder)
})
beforeEach(async () => {
  person = await aDuckling()
})
afterAll(() => doors.close())

const post = (line: string, body: object, { token }: { token: string } = person) =>
  call(`POST /beak/${line}`, { token, body })
const hostOf = ({ id }: ADuckling) => hostContext({ id, trustTier: 'T1' }, readClock())
const statusOf = async (access: string) => (await userinfo(doors, access)).status
const isSilent = async (who: { token: string }, asks: Record<string, string | undefined> = {}) =>
  codeIn((await visit(doors, site, who, { prompt: 'none', ...asks })).location) !== ''
const sessionOf = async (who: ADuckling) => (await who.context()).caller.sessionId
/** Makes the sign-in of a session an hour old. */
const age = async (who: ADuckling) =>
  db().session.update({
    where: { id: await sessionOf(who) },
    data: { authTime: secondsAfter(readClock(), -hour) },
  })

describe('without the page', () => {
  it('signs nobody in who has not allowed the site, whatever it asks', async () => {
    const asks = [
      { scope: 'openid' },
      { scope: 'profile' },
      { scope: undefined },
      { scope: '' },
      { scope: 'made-up' },
    ]
    for (const asked of asks)
      for (const prompt of ['none', undefined]) {
        const { location } = await visit(doors, site, person, { ...asked, prompt })
        expect([asked, location.includes('code=')]).toEqual([asked, false])
      }
  })

  it('signs in no session of a device, of an ended session, or of a suspended account', async () => {
    await signedIn(doors, site, person)
    expect(await isSilent(person)).toBe(true)
    const device = through(person, await anotherSession(person))
    expect(await isSilent(device)).toBe(true)
    await db().session.update({ where: { id: await sessionOf(device) }, data: { amr: ['device'] } })
    expect(await isSilent(device)).toBe(false)
    const ended = through(person, await anotherSession(person))
    await post('signout', {}, ended)
    expect(await isSilent(ended)).toBe(false)
    expect(await isSilent({ token: `${person.token.slice(0, -3)}xyz` })).toBe(false)
    await suspendAccount(hostOf(person), null)
    expect(await isSilent(person)).toBe(false)
  })

  it('takes a recent proof of a session that is new at the site, also with a passkey', async () => {
    await signedIn(doors, site, person)
    await age(person)
    expect(await isSilent(person)).toBe(true)
    const stolen = through(person, await anotherSession(person))
    await age(stolen)
    expect(await isSilent(stolen)).toBe(false)
    const begun = await visit(doors, site, stolen)
    expect((await signIn(doors, begun, stolen)).status).toBe(403)
    const byCode = through(person, await anotherSession(person))
    await aPasskey(through(person, await anotherSession(person)))
    expect(await isSilent(byCode)).toBe(false)
  })
})

describe('a consent', () => {
  it('decided 50 times at once counts once', async () => {
    const begun = await visit(doors, site, person)
    const replies = await Promise.all(Array.from({ length: 50 }, () => signIn(doors, begun, person)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(49)
    expect((await post('consent/deny', begun.consent)).status).toBe(409)
  })

  it('is decided only in the browser of the request, at T1, and in the account that is signed in there', async () => {
    const [begun, elsewhere] = [await visit(doors, site, person), await visit(doors, site, null)]
    const swapped = { ...begun, consent: { ...begun.consent, browser: elsewhere.consent.browser } }
    expect((await signIn(doors, swapped, person)).status).toBe(404)
    expect((await signIn(doors, begun, await aDuckling({ tier: 'T0' }))).status).toBe(403)
    const decided = await signIn(doors, begun, person)
    // Somebody else who gets the address has not the cookies.
    const stolen = await doors.fetch(decided.body.continue, { headers: { Cookie: elsewhere.cookies } })
    expect(stolen.headers.get('location') ?? '').not.toContain('code=')
    const another = await aDuckling()
    const { location } = await visit(doors, site, another, { prompt: 'none' })
    expect(location).toContain('error=consent_required')
    const code = (await goBack(doors, begun, decided.body.continue)).get('code') ?? ''
    const { body } = await redeem(doors, site, begun, code)
    expect((await userinfo(doors, body.access_token)).body.name).toBe(person.displayName)
  })

  it('of a session that ends before its code is used gives nothing', async () => {
    const [first, second] = [
      await visit(doors, site, person),
      await visit(doors, site, person, { prompt: 'consent' }),
    ]
    const decided = await signIn(doors, first, person)
    const code = (await goBack(doors, first, decided.body.continue)).get('code') ?? ''
    const waiting = await signIn(doors, second, person)
    await post('signout', {})
    expect((await redeem(doors, site, first, code)).body.error).toBe('invalid_grant')
    const late = await doors.fetch(waiting.body.continue, { headers: { Cookie: second.cookies } })
    expect(late.headers.get('location') ?? '').not.toContain('code=')
    expect((await signIn(doors, await visit(doors, site, null), person)).status).toBe(401)
  })
})

describe('tokens end at once', () => {
  it.each<[string, (who: ADuckling) => Promise<unknown>]>([
    ['signing out', (who) => post('signout', {}, who)],
    [
      'signing out everywhere',
      async (who) => post('session/revoke', { all_others: true }, { token: await anotherSession(who) }),
    ],
    [
      'ending the session',
      async (who) =>
        post('session/revoke', { session_id: await sessionOf(who) }, { token: await anotherSession(who) }),
    ],
    ['a command of the host', (who) => endSessionsByHost(hostOf(who))],
    ['a suspension', (who) => suspendAccount(hostOf(who), null)],
    ['closing the account', (who) => call('POST /beak/account/delete', { token: who.token })],
    [
      'a distrusted key',
      async (who) => {
        const id = await sessionOf(who)
        await db().session.update({ where: { id }, data: { kid: `lost ${id}` } })
        const before = `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}`
        await endBatchSignedBy(`lost ${id}`, before, readClock())
      },
    ],
    [
      'the undo of a change of address',
      async (who) => {
        await changeAddress(who)
        await call('POST /beak/email-change/undo', { body: { token: await undoLinkTo(who.email) } })
      },
    ],
  ])('by %s', async (_, end) => {
    const { access } = await signedIn(doors, site, person)
    expect(await statusOf(access)).toBe(200)
    await end(person)
    expect(await statusOf(access)).toBe(401)
    expect(await db().siteSignIn.count({ where: { ducklingId: person.id, siteId: site.clientId } })).toBe(0)
  })
})

describe('a rotation of BEAK_SECRET', () => {
  it('keeps subjects, tokens and the sign-ins of live sessions', async () => {
    const { access, idToken } = await signedIn(doors, site, person)
    rotateTestSecret()
    expect(await statusOf(access)).toBe(200)
    const again = await signedIn(doors, site, person, { asks: { prompt: 'none' } })
    expect(decodeJwt(again.idToken).sub).toBe(decodeJwt(idToken).sub)
    expect(await statusOf(again.access)).toBe(200)
    await post('signout', {})
    for (const token of [access, again.access]) expect(await statusOf(token)).toBe(401)
  })
})

describe('a site that wants to know', () => {
  /** Serves a site, and returns it with the paths of the requests that it gets. */
  async function aListeningSite(owner: ADuckling, path = '/logout') {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(request.url === '/logout' ? 200 : 302, { Location: '/inside' }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const notice = { redirect_uris: [`${host}/callback`], backchannel_logout_uri: `${host}${path}` }
    return { asked, own: await aSite(doors, owner, notice) }
  }

  /** Signs in by code, as a thief with the mails of the owner, whom the link in the mail signs out. */
  async function disown(site: RegisteredSite) {
    await call('POST /beak/signin/otp', { body: { email: person.email } })
    const body = { email: person.email, otp: await codeFor(person.email) }
    const { token } = (await call('POST /beak/signin', { body })).body
    await signedIn(doors, site, { token })
    await db().outbox.updateMany({ where: { kind: { startsWith: 'notice' } }, data: { dueAt: readClock() } })
    const text = (await sentTo(person.email)).map((mail) => mail.text).join('\n')
    const link = [...text.matchAll(/\/not-me\?token=([\w%-]+)/g)].at(-1)?.[1] ?? ''
    return call('POST /beak/session/disown', { body: { token: decodeURIComponent(link) } })
  }

  it.each<[string, (site: RegisteredSite, owner: ADuckling) => Promise<{ status: number }>]>([
    ['its owner deletes it', ({ clientId }, owner) => post('site/delete', { client_id: clientId }, owner)],
    ['its owner closes the account', (_, { token }) => call('POST /beak/account/delete', { token })],
    ['the person closes the account', () => call('POST /beak/account/delete', { token: person.token })],
    ['the person disowns the session', disown],
  ])('is told when %s', async (_, end) => {
    const owner = await aDuckling()
    const { asked, own } = await aListeningSite(owner)
    await signedIn(doors, own, person)
    expect((await end(own, owner)).status).toBe(200)
    await drainOutbox()
    expect(asked).toEqual(['/logout'])
  })

  it('leads the service to no other address, and not inside the network', async () => {
    const { asked, own } = await aListeningSite(builder, '/away')
    await signedIn(doors, own, person)
    await post('signout', {})
    await drainOutbox()
    expect(asked).toEqual(['/away'])
    useConfig({ webhookAllowPrivate: false })
    onTestFinished(() => useConfig({ webhookAllowPrivate: true }))
    await db().run`UPDATE "Outbox" SET "dueAt" = now() WHERE "kind" = 'site_logout'`
    await drainOutbox()
    expect(asked).toEqual(['/away'])
  })
})
