/** Who may allow a program, in which browser, and how often. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { suspendAccount } from '@/lib/domain/accounts/suspend'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { anotherSession } from '@/lib/fixtures/accounts'
import {
  allow,
  allowed,
  aProgram,
  type Begun,
  begin,
  type Doors,
  exchange,
  goBack,
} from '@/lib/fixtures/programs'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { hostContext } from '@/lib/kernel/request/context'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

let owner: ADuckling
let begun: Begun
beforeEach(async () => {
  owner = await aDuckling()
  begun = await begin(doors, await aProgram(doors))
})

const agentsOf = ({ id }: ADuckling) => db().agent.count({ where: { ducklingId: id } })
const deny = ({ token }: ADuckling) => call('POST /beak/consent/deny', { token, body: begun.consent })
const refused = ({ status, body }: { status: number; body: { reason: string } }) => [status, body.reason]
const session = (data: object) => db().session.updateMany({ where: { ducklingId: owner.id }, data })

describe('the browser', () => {
  it('must have the cookie of this request', async () => {
    const other = await begin(doors, begun.program)
    const { request } = begun.consent
    for (const browser of ['', other.consent.browser, begun.consent.browser.slice(0, -1), request]) {
      const body = { request, browser }
      for (const line of ['view', 'deny'])
        expect(refused(await call(`POST /beak/consent/${line}`, { token: owner.token, body }))).toEqual([
          404,
          'consent_not_found',
        ])
      const given = await allow(doors, { ...begun, consent: body }, owner)
      expect(refused(given)).toEqual([404, 'consent_not_found'])
    }
    expect(await agentsOf(owner)).toBe(0)
    expect((await allow(doors, begun, owner)).status).toBe(200)
  })

  it('gets a cookie that scripts and other sites do not get, only for the page of this request', () => {
    const cookie = begun.headers.getSetCookie().find((one) => one.startsWith('beak_connect=')) ?? ''
    expect(cookie).toMatch(/; path=\/connect\/allow\/[\w-]+;/)
    expect(cookie).toMatch(/; samesite=lax; httponly$/)
  })

  it('gets cookies only over https when the service is there', async () => {
    const { baseUrl, origin, basePath } = config()
    const address = 'https://beak.example'
    replaceConfig({ baseUrl: address, origin: address, basePath: '' })
    forget('oauth.server')
    const { headers } = await begin(doors, begun.program)
    replaceConfig({ baseUrl, origin, basePath })
    forget('oauth.server')
    const cookies = headers.getSetCookie()
    expect(cookies).toHaveLength(5)
    for (const cookie of cookies) expect(cookie).toMatch(/; secure; httponly$/)
  })

  it('that did not begin the request gets no code', async () => {
    const { body } = await allow(doors, begun, owner)
    const other = await begin(doors, begun.program)
    const forged = begun.cookies.replace(/(_interaction_resume\.sig=)../, '$1xx')
    for (const Cookie of ['', forged]) {
      const { status, headers, body: answer } = await doors.fetch(body.continue, { headers: { Cookie } })
      expect([status, headers.get('location'), answer.error]).toEqual([400, null, 'invalid_request'])
    }
    const { headers } = await doors.fetch(body.continue, { headers: { Cookie: other.cookies } })
    expect(headers.get('location')).toMatch(/^\/connect\/allow\//)
    expect((await goBack(doors, begun, body.continue)).get('code')).toBeTruthy()
  })

  it('that goes back before the decision gets no code', async () => {
    const { status, headers } = await doors.fetch(`/oauth/authorize/${begun.consent.request}`, {
      headers: { Cookie: begun.cookies },
    })
    // It is sent to the page again, for a new request.
    expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/connect\/allow\//)])
  })

  it('gets one code for a decision', async () => {
    const { body } = await allow(doors, begun, owner)
    await goBack(doors, begun, body.continue)
    await expect(goBack(doors, begun, body.continue)).rejects.toThrow('not back at the program')
  })

  it('that decided for one program decides again for the next', async () => {
    const { body } = await allow(doors, begun, owner)
    const { headers } = await doors.fetch(body.continue, { headers: { Cookie: begun.cookies } })
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const next = await begin(doors, begun.program, {}, { Cookie: cookies.join('; ') })
    expect(next.location).toMatch(/^\/connect\/allow\//)
  })
})

describe('a decision', () => {
  it('counts once', async () => {
    expect((await allow(doors, begun, owner)).status).toBe(200)
    expect(refused(await allow(doors, begun, owner))).toEqual([409, 'consent_decided'])
    expect(refused(await deny(owner))).toEqual([409, 'consent_decided'])
    expect(await agentsOf(owner)).toBe(1)
  })

  it('to refuse counts once', async () => {
    expect((await deny(owner)).status).toBe(200)
    expect(refused(await allow(doors, begun, owner))).toEqual([409, 'consent_decided'])
    expect(await agentsOf(owner)).toBe(0)
  })

  it('of 50 at once succeeds once and makes one agent', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 ? allow(doors, begun, owner) : deny(owner))),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(49)
    const isAllowed = replies.some(({ body }) => body.decision === 'allowed')
    expect(await agentsOf(owner)).toBe(isAllowed ? 1 : 0)
  })

  it('of another account than the one that looked belongs to the one that decided', async () => {
    const other = await aDuckling()
    await call('POST /beak/consent/view', { token: other.token, body: begun.consent })
    const { body } = await allow(doors, begun, owner)
    const code = (await goBack(doors, begun, body.continue)).get('code') ?? ''
    expect((await exchange(doors, begun, code)).status).toBe(200)
    expect([await agentsOf(owner), await agentsOf(other)]).toEqual([1, 0])
  })

  it('needs a session', async () => {
    for (const token of ['', 'eyJ.eyJ.x']) expect((await allow(doors, begun, { token })).status).toBe(401)
    const { beakKey } = await anAgent(owner)
    const body = { ...begun.consent, scopes: [], agent_name: 'Otter' }
    expect((await call('POST /beak/consent/allow', { key: beakKey, body })).status).toBe(403)
  })

  it('needs a confirmed address', async () => {
    const newcomer = await aDuckling({ tier: 'T0' })
    expect((await allow(doors, begun, newcomer)).status).toBe(403)
    expect(await agentsOf(newcomer)).toBe(0)
  })

  it('needs an account that is not suspended', async () => {
    await suspendAccount(hostContext({ id: owner.id, trustTier: 'T1' }, readClock()), null)
    expect([401, 403]).toContain((await allow(doors, begun, owner)).status)
    expect(await agentsOf(owner)).toBe(0)
  })

  it('needs a recent proof', async () => {
    await session({ authTime: secondsAfter(readClock(), -11 * minute) })
    expect(refused(await allow(doors, begun, owner))).toEqual([403, 'fresh_sign_in_needed'])
    const { authenticator } = await aPasskey(through(owner, await anotherSession(owner)))
    expect(refused(await allow(doors, begun, owner))).toEqual([403, 'fresh_passkey_needed'])
    expect(await agentsOf(owner)).toBe(0)
    await confirmWithPasskey(owner, authenticator)
    expect((await allow(doors, begun, owner)).status).toBe(200)
  })

  it('is never of a session of the device flow, which another person may have begun', async () => {
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    await session({ amr: ['device'] })
    expect(refused(await allow(doors, begun, owner))).toEqual([403, 'fresh_sign_in_needed'])
    expect(await agentsOf(owner)).toBe(0)
  })

  it('with 25 agents changes nothing, and can be made when one has ended', async () => {
    const agents = await Promise.all(Array.from({ length: 25 }, () => anAgent(owner, { bonded: false })))
    const seen = await call('POST /beak/consent/view', { token: owner.token, body: begun.consent })
    expect(seen.body.agents_max).toBe(25)
    expect(refused(await allow(doors, begun, owner))).toEqual([409, 'too_many_agents'])
    expect(await agentsOf(owner)).toBe(25)
    expect(await db().connection.count({ where: { ducklingId: owner.id } })).toBe(0)
    const body = { agent_id: agents[0]?.agentId }
    expect((await call('POST /beak/agent/deregister', { token: owner.token, body })).status).toBe(200)
    const { body: given } = await allow(doors, begun, owner)
    const code = (await goBack(doors, begun, given.continue)).get('code') ?? ''
    expect((await exchange(doors, begun, code)).status).toBe(200)
  })

  it('with 24 agents, or for a program that has its agent, sees no limit', async () => {
    await Promise.all(Array.from({ length: 24 }, () => anAgent(owner, { bonded: false })))
    const view = async () =>
      (await call('POST /beak/consent/view', { token: owner.token, body: begun.consent })).body.agents_max
    expect(await view()).toBeNull()
    await allowed(doors, owner, { program: begun.program })
    expect(await view()).toBeNull()
  })

  it.each([
    ['Claude Code (beak)', 'Claude Code'],
    ['x'.repeat(70), 'x'.repeat(64)],
    ['Beak Support', null],
    ['(beak)', null],
  ])('for the program %s sees the name %s for its agent', async (client_name, name) => {
    const other = await begin(doors, await aProgram(doors, { client_name }))
    const { body } = await call('POST /beak/consent/view', { token: owner.token, body: other.consent })
    expect(body.agent_name).toBe(name)
    const given = await allow(doors, other, owner, { agent_name: name ?? 'My program' })
    expect(given.status).toBe(200)
  })

  it('at once for several programs makes no more than 25 agents', async () => {
    await Promise.all(Array.from({ length: 24 }, () => anAgent(owner, { bonded: false })))
    const requests = await Promise.all(
      Array.from({ length: 5 }, async () => begin(doors, await aProgram(doors))),
    )
    const replies = await Promise.all(requests.map((request) => allow(doors, request, owner)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(await agentsOf(owner)).toBe(25)
  })

  it('at once about several requests of one program makes one agent, with one connection', async () => {
    const requests = await Promise.all(Array.from({ length: 5 }, () => begin(doors, begun.program)))
    const replies = await Promise.all(requests.map((request) => allow(doors, request, owner)))
    expect(replies.map(({ status }) => status)).toEqual(requests.map(() => 200))
    expect(await agentsOf(owner)).toBe(1)
    const codes = await Promise.all(
      requests.map((request, at) =>
        goBack(doors, request, replies[at]?.body.continue).then(
          (back) => exchange(doors, request, back.get('code') ?? ''),
          // Another decision replaced this one, so the person is asked again.
          () => null,
        ),
      ),
    )
    expect(codes.filter((reply) => reply?.status === 200)).toHaveLength(1)
    expect(await db().connection.count({ where: { ducklingId: owner.id } })).toBe(1)
  })

  it('of a session that has ended gives the program nothing', async () => {
    const { code, begun: asked, agentId } = await allowed(doors, owner)
    await call('POST /beak/signout', { token: owner.token })
    expect((await exchange(doors, asked, code)).body.error).toBe('invalid_grant')
    const agent = await db().agent.findUniqueOrThrow({ where: { id: agentId } })
    expect([agent.status, agent.bondedAt]).toEqual(['registered', null])
  })

  it('expires after an hour', async () => {
    await db().oAuthRecord.updateMany({
      where: { kind: 'Interaction', consumedAt: null },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    expect(refused(await allow(doors, begun, owner))).toEqual([404, 'consent_not_found'])
  })
})
