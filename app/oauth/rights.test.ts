/** What a connected program may do: what the person ticked, and nothing else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { scopes } from '@/lib/domain/agents/scopes'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anotherSession } from '@/lib/fixtures/accounts'
import { callTool, connected, type Doors, refresh } from '@/lib/fixtures/programs'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { openOwnDoors } from './open-doors'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

const optional = scopes.filter((scope) => scope !== 'ask')
/** Every combination of ticks. */
const combinations = Array.from({ length: 2 ** optional.length }, (_, bits) =>
  optional.filter((_scope, index) => (bits >> index) & 1),
)
const capabilities = {
  ask: ['request:peck', 'read:peck'],
  'ask:others': [],
  profile: ['read:profile', 'read:cert'],
  activity: ['read:audit'],
}

/** Expects that an access token does what these scopes say, and nothing else. */
async function expectOnly(access: string, owner: ADuckling, ticked: readonly string[]) {
  const other = await aDuckling()
  const may = ['ask', ...optional.filter((scope) => ticked.includes(scope))] as (typeof scopes)[number][]
  const self = await callTool(doors, access)
  expect(self.result.capabilities).toEqual(may.flatMap((scope) => capabilities[scope]))
  expect(self.result.asks_others).toBe(ticked.includes('ask:others'))
  const ask = (target?: string) =>
    callTool(doors, access, 'ask_permission', { action: 'send:mail', scope: 'limited', target })
  expect((await ask()).result.target_duckling_id).toBe(owner.id)
  expect((await ask(other.id)).isError ?? false).toBe(!ticked.includes('ask:others'))
  const asked = await db().peck.count({ where: { targetDucklingId: other.id } })
  expect(asked).toBe(ticked.includes('ask:others') ? 1 : 0)
}

describe('a connected program', () => {
  // security: agent-11
  it.each(combinations.map((ticked) => [ticked.join(' ') || 'nothing', ticked]))(
    'that asked for all does only what was ticked: %s',
    async (_title, ticked) => {
      const owner = await aDuckling()
      const { access, tokens } = await connected(doors, owner, {
        asks: { scope: scopes.join(' ') },
        answers: { scopes: ticked },
      })
      expect(tokens.scope).toBe(scopes.filter((scope) => ['ask', ...ticked].includes(scope)).join(' '))
      await expectOnly(access, owner, ticked as string[])
    },
  )

  it.each(combinations.map((asked) => [asked.join(' ') || 'nothing', asked]))(
    'gets no more than it asked for, when all is ticked: %s',
    async (_title, asked) => {
      const owner = await aDuckling()
      const { access } = await connected(doors, owner, {
        asks: { scope: ['ask', ...asked].join(' ') },
        answers: { scopes: [...scopes] },
      })
      await expectOnly(access, owner, asked as string[])
    },
  )

  it('that connects again may do what was ticked now, not what was ticked before', async () => {
    const owner = await aDuckling()
    const all = { asks: { scope: scopes.join(' ') } }
    const { program } = await connected(doors, owner, { ...all, answers: { scopes: [...scopes] } })
    const { access } = await connected(doors, owner, { ...all, program, answers: { scopes: ['ask'] } })
    await expectOnly(access, owner, [])
  })
})

describe('scopes of a connected agent, changed by its owner', () => {
  const change = ({ token }: ADuckling, agentId: string, ticked: readonly string[], more = {}) =>
    call('POST /beak/agent/update', { token, body: { agent_id: agentId, scopes: ticked, ...more } })
  const scopesIn = (list: readonly string[]) => scopes.filter((scope) => ['ask', ...list].includes(scope))
  const session = ({ id }: ADuckling, data: object) =>
    db().session.updateMany({ where: { ducklingId: id }, data })
  const refusal = ({ status, body }: { status: number; body: { reason: string } }) => [status, body.reason]
  const anHourAgo = () => secondsAfter(readClock(), -hour)

  it.each(combinations.map((ticked) => [ticked.join(' ') || 'nothing', ticked]))(
    'count from the next call on, and for the next tokens: %s',
    async (_title, ticked) => {
      const owner = await aDuckling()
      const before = optional.filter((scope) => !ticked.includes(scope))
      const {
        access,
        agentId,
        program,
        refresh: token,
      } = await connected(doors, owner, {
        asks: { scope: scopes.join(' ') },
        answers: { scopes: before },
      })
      const { status, body } = await change(owner, agentId, ticked)
      expect([status, body.connection.scopes]).toEqual([200, scopesIn(ticked)])
      await expectOnly(access, owner, ticked)
      const next = await refresh(doors, program, token)
      expect(next.status).toBe(200)
      expect(scopesIn(ticked)).toEqual(expect.arrayContaining(next.body.scope.split(' ')))
      await expectOnly(next.body.access_token, owner, ticked)
    },
  )

  it('are fewer without a recent proof, and more only with one of the person', async () => {
    const owner = await aDuckling()
    const { agentId } = await connected(doors, owner, {
      asks: { scope: scopes.join(' ') },
      answers: { scopes: ['profile', 'activity'] },
    })
    await session(owner, { authTime: anHourAgo() })
    expect((await change(owner, agentId, ['profile'])).status).toBe(200)
    for (const more of optional.filter((scope) => scope !== 'profile'))
      expect(refusal(await change(owner, agentId, ['profile', more]))).toEqual([403, 'fresh_sign_in_needed'])
    // A swap takes one away and gives another.
    expect(refusal(await change(owner, agentId, ['activity']))).toEqual([403, 'fresh_sign_in_needed'])
    await session(owner, { authTime: readClock(), amr: ['device'], passkeyAt: readClock() })
    expect(refusal(await change(owner, agentId, ['activity']))).toEqual([403, 'fresh_sign_in_needed'])
    expect((await change(owner, agentId, [])).body.connection.scopes).toEqual(['ask'])
  })

  it('are in the log, and a mail says when there are more', async () => {
    const owner = await aDuckling()
    const { agentId } = await connected(doors, owner)
    const changed = async () =>
      (
        await call('GET /beak/profile/overview', { token: await anotherSession(owner) })
      ).body.recent_changes.map(({ change }: { change: string }) => change)
    await change(owner, agentId, [])
    expect(await changed()).not.toContain('agent_may_more')
    await change(owner, agentId, ['ask:others'])
    expect(await changed()).toContain('agent_may_more')
    const events = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'agent.updated' },
      orderBy: { seq: 'asc' },
    })
    expect(events.map(({ metadata }) => metadata)).toMatchObject([
      { capabilities: capabilities.ask, asks_others: false },
      { capabilities: capabilities.ask, asks_others: true },
    ])
  })

  it('are refused for an agent without a program, for another owner, and beside asks_others', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const { agentId } = await anAgent(owner)
    expect(refusal(await change(owner, agentId, []))).toEqual([409, 'agent_not_connected'])
    const { agentId: connectedId } = await connected(doors, owner)
    expect((await change(other, connectedId, [])).status).toBe(404)
    expect((await change(owner, connectedId, [], { asks_others: true })).status).toBe(400)
    expect((await change(owner, connectedId, ['read:peck'])).status).toBe(400)
  })
})
