/** What ends the tokens of a connected program. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { resumeAccount, suspendAccount } from '@/lib/domain/accounts/suspend'
import { finishRecoveries } from '@/lib/domain/revocation/prove-address'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import {
  allow,
  allowed,
  aProgram,
  begin,
  callTool,
  connected,
  type Doors,
  exchange,
  goBack,
  postForm,
  refresh,
} from '@/lib/fixtures/programs'
import { watchers } from '@/lib/infrastructure/events/signals'
import { hostContext } from '@/lib/kernel/request/context'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

type Connected = Awaited<ReturnType<typeof connected>>
let owner: ADuckling
let program: Connected
beforeEach(async () => {
  owner = await aDuckling()
  program = await connected(doors, owner)
})

/** Returns the status of both tokens. */
async function tokensOf({ program, access, refresh: token }: Connected) {
  return [(await callTool(doors, access)).status, (await refresh(doors, program, token)).status]
}

const question = { action: 'send:mail', scope: 'limited' }
const live = [200, 200]
const ended = [401, 400]
const post = (line: string, body: object, { token } = owner) => call(`POST /beak/${line}`, { token, body })
const host = () => hostContext({ id: owner.id, trustTier: 'T1' }, readClock())

/** Signs in by code, as a thief with the mails of the owner. Returns the session, and the link that ends it. */
async function aThief(): Promise<{ thief: ADuckling; link: string }> {
  await call('POST /beak/signin/otp', { body: { email: owner.email } })
  const body = { email: owner.email, otp: await codeFor(owner.email) }
  const { token } = (await call('POST /beak/signin', { body })).body
  await db().outbox.updateMany({ where: { kind: { startsWith: 'notice' } }, data: { dueAt: readClock() } })
  const text = (await sentTo(owner.email)).map((mail) => mail.text).join('\n')
  const link = [...text.matchAll(/\/not-me\?token=([\w%-]+)/g)].at(-1)?.[1] ?? ''
  return { thief: through(owner, token), link: decodeURIComponent(link) }
}

describe('the agent', () => {
  it('that was ended ends its tokens and its codes', async () => {
    const other = await aProgram(doors)
    const waiting = await allowed(doors, owner, { program: other })
    for (const agent_id of [program.agentId, waiting.agentId])
      expect((await post('agent/deregister', { agent_id })).status).toBe(200)
    expect(await tokensOf(program)).toEqual(ended)
    expect((await exchange(doors, waiting.begun, waiting.code)).body.error).toBe('invalid_grant')
  })

  it('that was ended is not the one that the program gets next', async () => {
    await post('agent/deregister', { agent_id: program.agentId })
    const again = await connected(doors, owner, { program: program.program })
    expect(again.agentId).not.toBe(program.agentId)
    expect(await tokensOf(again)).toEqual(live)
    expect(await tokensOf(program)).toEqual(ended)
  })

  it('that is suspended asks for nothing until it is resumed', async () => {
    const agent_id = program.agentId
    await post('agent/suspend', { agent_id })
    const ask = () => callTool(doors, program.access, 'ask_permission', question)
    expect((await ask()).isError).toBe(true)
    await post('agent/resume', { agent_id })
    expect((await ask()).result.status).toBe('pending')
  })

  it('that is suspended before the exchange stays suspended', async () => {
    const waiting = await allowed(doors, owner, { program: await aProgram(doors) })
    await post('agent/suspend', { agent_id: waiting.agentId })
    await exchange(doors, waiting.begun, waiting.code)
    const agent = await db().agent.findUniqueOrThrow({ where: { id: waiting.agentId } })
    expect(agent.status).toBe('suspended')
  })

  it('gets no key that somebody knows', async () => {
    for (const line of ['key/rotate', 'agent/handshake']) {
      const { status } = await post(line, { agent_id: program.agentId })
      expect([line, status]).toEqual([line, 409])
    }
    expect(await tokensOf(program)).toEqual(live)
  })

  it('has no token with another key than that of its connection', async () => {
    await db().beakKey.updateMany({
      where: { agentId: program.agentId },
      data: { activeFor: null, retiredAt: readClock() },
    })
    expect(await tokensOf(program)).toEqual(ended)
  })

  it('of an expired key has no tokens', async () => {
    await db().beakKey.updateMany({
      where: { agentId: program.agentId },
      data: { expiresAt: secondsAfter(readClock(), -1) },
    })
    expect(await tokensOf(program)).toEqual(ended)
  })
})

describe('the account', () => {
  it('that is suspended is closed to its programs until it is resumed', async () => {
    const other = await allowed(doors, owner, { program: await aProgram(doors) })
    await suspendAccount(host(), null)
    expect((await callTool(doors, program.access)).status).toBe(403)
    expect((await exchange(doors, other.begun, other.code)).body.error).toBe('invalid_grant')
    await resumeAccount(host())
    expect((await callTool(doors, program.access)).status).toBe(200)
  })

  it('that is suspended opens no connection, even while a session of it lasts', async () => {
    const waiting = await allowed(doors, owner, { program: await aProgram(doors) })
    await db().duckling.update({ where: { id: owner.id }, data: { suspendedAt: readClock() } })
    expect((await exchange(doors, waiting.begun, waiting.code)).body.error).toBe('invalid_grant')
  })

  it('that is closed ends all tokens and leaves no row of them', async () => {
    await connected(doors, owner, { program: program.program })
    expect((await call('POST /beak/account/delete', { token: owner.token })).status).toBe(200)
    expect(await tokensOf(program)).toEqual(ended)
    const rows = await db().oAuthRecord.findMany()
    expect(JSON.stringify(rows.map(({ payload }) => payload))).not.toContain(owner.id)
    expect(await db().connection.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('keeps its programs when it lost its passkeys', async () => {
    const session = through(owner, await anotherSession(owner))
    await aPasskey(owner)
    expect((await post('passkey/recover', {}, session)).status).toBe(200)
    await finishRecoveries(secondsAfter(readClock(), day + 1))
    expect(await tokensOf(program)).toEqual(live)
  })

  it('that takes its address back suspends the agents that were connected since it was changed', async () => {
    const { email } = owner
    await changeAddress(owner)
    const since = await connected(doors, owner)
    const again = await connected(doors, owner, { program: program.program })
    expect(again.agentId).toBe(program.agentId)
    const body = { token: await undoLinkTo(email) }
    expect((await call('POST /beak/email-change/undo', { body })).status).toBe(200)
    expect((await callTool(doors, since.access)).result).toMatchObject({ valid: false })
    expect((await callTool(doors, since.access, 'ask_permission', question)).isError).toBe(true)
    expect(await tokensOf(again)).toEqual(ended)
  })

  it('that takes its address back suspends an agent that another session connected again before', async () => {
    const early = through(owner, await anotherSession(owner))
    const again = await connected(doors, early, { program: program.program })
    await changeAddress(through(owner, await anotherSession(owner)))
    await call('POST /beak/email-change/undo', { body: { token: await undoLinkTo(owner.email) } })
    expect((await callTool(doors, again.access)).result).toMatchObject({ valid: false })
  })
})

describe('a session', () => {
  it('that its owner disowns ends the codes that wait, and nothing else', async () => {
    const { thief, link } = await aThief()
    const waiting = await allowed(doors, thief)
    const stolen = await connected(doors, thief)
    expect((await call('POST /beak/session/disown', { body: { token: link } })).status).toBe(200)
    expect((await exchange(doors, waiting.begun, waiting.code)).body.error).toBe('invalid_grant')
    // As every agent of the session: its owner sees it and ends it.
    expect(await tokensOf(stolen)).toEqual(live)
    await post('agent/deregister', { agent_id: stolen.agentId })
    expect(await tokensOf(stolen)).toEqual(ended)
  })

  it('that ends later leaves its programs connected', async () => {
    await call('POST /beak/signout', { token: owner.token })
    expect(await tokensOf(program)).toEqual(live)
  })
})

describe('signing out everywhere', () => {
  const endings = () =>
    db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'agent.disconnected' },
      orderBy: { seq: 'asc' },
    })
  const actingWith = async (key: string) => (await call('GET /beak/agent/rules', { key })).status

  it('leaves programs connected unless the owner says so', async () => {
    for (const more of [{}, { connected_agents: false }]) {
      const { status, body } = await post('session/revoke', { all_others: true, ...more })
      expect([status, 'disconnected_agents' in body]).toEqual([200, false])
    }
    expect(await tokensOf(program)).toEqual(live)
    expect(await endings()).toEqual([])
  })

  it('ends every connection, with the codes that wait, and no beak key and nothing of others', async () => {
    const { beakKey } = await anAgent(owner)
    const stranger = await connected(doors, await aDuckling())
    const session = await anotherSession(owner)
    const waiting = await allowed(doors, owner)
    const { body } = await post('session/revoke', { all_others: true, connected_agents: true })
    expect(body).toEqual({
      success: true,
      revoked: 1,
      disconnected_agents: [program.agentId, waiting.agentId].sort(),
    })
    expect((await call('GET /beak/profile', { token: session })).status).toBe(401)
    expect(await tokensOf(program)).toEqual(ended)
    expect((await exchange(doors, waiting.begun, waiting.code)).body.error).toBe('invalid_grant')
    expect(await tokensOf(stranger)).toEqual(live)
    expect(await actingWith(beakKey)).toBe(200)
    expect(await endings()).toMatchObject([
      {
        actorId: owner.id,
        outcome: 'success',
        targets: [{ id: body.disconnected_agents[0] }, { type: 'key' }],
      },
      { targets: [{ id: body.disconnected_agents[1] }, { type: 'key' }] },
    ])
    const again = await post('session/revoke', { all_others: true, connected_agents: true })
    expect(again.body).toEqual({ success: true, revoked: 0, disconnected_agents: [] })
    expect(await endings()).toHaveLength(2)
    // A mail says so once, with the other changes of the minute.
    const { items } = await db().notice.findFirstOrThrow({ where: { ducklingId: owner.id } })
    expect(JSON.stringify(items).match(/"connections_ended"/g)).toHaveLength(1)
    expect(await tokensOf(await connected(doors, owner, { program: program.program }))).toEqual(live)
  })

  it('ends nothing when it fails', async () => {
    const session = await anotherSession(owner)
    await db().session.updateMany({
      where: { ducklingId: owner.id },
      data: { authTime: secondsAfter(readClock(), -day), passkeyAt: null, amr: ['pop'] },
    })
    const body = { all_others: true, connected_agents: true }
    expect((await post('session/revoke', body)).status).toBe(403)
    expect(await tokensOf(program)).toEqual(live)
    expect((await call('GET /beak/profile', { token: session })).status).toBe(200)
  })

  it('at once with a consent leaves that program connected as a whole, or not at all', async () => {
    const begun = await begin(doors, program.program)
    const [{ body }] = await Promise.all([
      allow(doors, begun, owner),
      post('session/revoke', { all_others: true, connected_agents: true }),
    ])
    // Without a connection the browser gets no code, and is asked again.
    const back = await goBack(doors, begun, body.continue).catch(() => null)
    const code = back?.get('code') ?? ''
    const exchanged = await exchange(doors, begun, code)
    const keys = await db().beakKey.count({ where: { activeFor: program.agentId } })
    expect(exchanged.status).toBe(keys === 1 ? 200 : 400)
    expect(await tokensOf(program)).toEqual(ended)
  })

  it('takes connected_agents only with all_others', async () => {
    const thing = { session_id: 'SES-00000000000000000000000000', connected_agents: true }
    for (const body of [thing, { connected_agents: true }])
      expect((await post('session/revoke', body)).status).toBe(400)
    expect(await tokensOf(program)).toEqual(live)
  })
})

describe('a program', () => {
  const revoke = (token: string, client_id = program.program.clientId) =>
    postForm(doors, '/oauth/revoke', { token, client_id })

  it('that gives its refresh token back ends the connection, and its agent stays', async () => {
    expect((await revoke(program.refresh)).status).toBe(200)
    expect(await tokensOf(program)).toEqual(ended)
    const agent = await db().agent.findUniqueOrThrow({ where: { id: program.agentId } })
    expect(agent.status).toBe('bonded')
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'agent.disconnected' },
    })
    expect(events).toMatchObject([{ actorType: 'system', metadata: { reason: 'given_back' } }])
    const again = await connected(doors, owner, { program: program.program })
    expect(again.agentId).toBe(program.agentId)
  })

  it('whose token is used twice is disconnected, and one mail says how to connect it again', async () => {
    const silent = { channels: { mail: { requests: 'none' } } }
    expect((await post('notifications/update', silent)).status).toBe(200)
    const again = await Promise.all([1, 2, 3].map(() => exchange(doors, program.begun, program.code)))
    expect(again.map(({ body }) => body.error)).toEqual(again.map(() => 'invalid_grant'))
    expect(await tokensOf(program)).toEqual(ended)
    const mails = (await sentTo(owner.email)).filter(({ kind }) => kind === 'connection_ended')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('Somebody used an old access of your agent "Otter" again')
    expect(mails[0]?.text).toContain(`/agents/manage/${program.agentId}`)
    const { body } = await call('GET /beak/agent/list', { token: owner.token })
    expect(body.items[0].connection.ended_at).toEqual(expect.any(String))
  })

  it('that gives its access token back ends the connection too, without a mail', async () => {
    expect((await revoke(program.access)).status).toBe(200)
    expect(await tokensOf(program)).toEqual(ended)
    expect(await db().beakKey.count({ where: { activeFor: program.agentId } })).toBe(0)
    const mails = await sentTo(owner.email)
    expect(mails.filter(({ kind }) => kind === 'connection_ended')).toEqual([])
  })

  it('that waits with a tool is refused as soon as its connection ends', async () => {
    const asked = await callTool(doors, program.access, 'ask_permission', { action: 'send:mail', params: {} })
    const { peck_id } = asked.result
    const waiting = callTool(doors, program.access, 'wait_for_decision', { peck_id, wait_seconds: 20 })
    while (watchers(peck_id) === 0) await new Promise((resolve) => setImmediate(resolve))
    await revoke(program.access)
    expect((await waiting).isError).toBe(true)
  })

  it('cannot give back the tokens of another one', async () => {
    const { clientId } = await aProgram(doors)
    for (const token of [program.refresh, program.access]) await revoke(token, clientId)
    expect(await tokensOf(program)).toEqual(live)
  })
})
