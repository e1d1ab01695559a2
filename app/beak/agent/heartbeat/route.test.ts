/** Heartbeats of guarded coding agents, the alarm about work without one, and attempts to silence it or to flood the owner. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { answerMcp } from '@/app/mcp/_server/answer'
import { db } from '@/lib/db/client'
import { graceSeconds, raiseSilentAlarms, silentSeconds } from '@/lib/domain/agents/guard'
import { writeSeen } from '@/lib/domain/sessions/authenticate'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { statementsOf } from '@/lib/fixtures/statements'
import { answerRequest } from '@/lib/http/adapters'
import { resourceUrl } from '@/lib/kernel/request/oauth-paths'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const line = 'POST /beak/agent/heartbeat'
const session = { tool: 'claude', version: '2.1.332', computer: 'otter', mode: 'guard', session: 'a1' }

let owner: ADuckling
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  agent = await anAgent(owner, { name: 'Claude Code on otter', capabilities: ['request:peck'] })
})

const beat = (changes: Record<string, unknown> = {}) =>
  call(line, { key: agent.beakKey, body: { ...session, ...changes } })
const change = (what: string, token = owner.token) =>
  call('POST /beak/agent/guard', { token, body: { agent_id: agent.agentId, change: what } })
const guard = async () => (await call('GET /beak/agent/list', { token: owner.token })).body.items[0].guard
const ago = (seconds: number) => secondsAfter(readClock(), -seconds)

const notices = async () =>
  (await db().notice.findMany({ where: { ducklingId: owner.id, kind: 'agent_unguarded' } })).reduce(
    (sum, { count }) => sum + count,
    0,
  )
const events = async (action: string) =>
  (await db().auditEvent.findMany({ where: { ducklingId: owner.id, action }, orderBy: { seq: 'asc' } })).map(
    ({ metadata }) => metadata,
  )

/** Moves the times of the guard into the past. */
const age = (seconds: number) => db().run`
  UPDATE "Guard" SET "heardAt" = "heardAt" - ${seconds}::int * interval '1 second',
    "unheardAt" = "unheardAt" - ${seconds}::int * interval '1 second',
    "dismissedAt" = "dismissedAt" - ${seconds}::int * interval '1 second' WHERE "agentId" = ${agent.agentId}`

/** Calls a tool as the agent, and lets the worker look at once and after the time that a heartbeat may take. */
async function work() {
  const request = new Request(resourceUrl('mcp'), {
    method: 'POST',
    headers: {
      'X-Beak-Key': agent.beakKey,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {} },
    }),
  })
  expect((await answerRequest(request, answerMcp)).status).toBe(200)
  await db().run`UPDATE "Guard" SET "workAt" = NULL WHERE "agentId" = ${agent.agentId}`
  const now = readClock()
  await writeSeen(secondsAfter(now, day))
  await db()
    .run`UPDATE "Guard" SET "workAt" = ${now}::timestamptz WHERE "agentId" = ${agent.agentId} AND "workAt" IS NOT NULL`
  await raiseSilentAlarms(now)
}
const later = () => raiseSilentAlarms(secondsAfter(readClock(), graceSeconds + 1))

describe('200', () => {
  it('shows the owner that the agent asks, and records it once', async () => {
    const { status, body } = await beat()
    expect([status, body]).toMatchObject([200, { tool: 'claude', mode: 'guard', warns: true, alarm: null }])
    await beat({ session: 'a2' })
    expect(await guard()).toMatchObject({ computer: 'otter', version: '2.1.332', stopped_at: null })
    expect(await events('agent.guarded')).toHaveLength(1)
    expect(await notices()).toBe(0)
  })

  it('keeps the start of a session that says again that it works', async () => {
    const { started_at } = (await beat()).body
    await age(hour)
    const again = (await beat()).body
    expect(again.started_at).toBe(started_at)
    expect(again.heard_at > started_at).toBe(true)
    expect((await beat({ session: 'a2' })).body.started_at > started_at).toBe(true)
  })

  it('stores only a digest of the session', async () => {
    await beat({ session: 'secret-session' })
    const row = JSON.stringify(await db().guard.findMany({ where: { agentId: agent.agentId } }))
    expect(row).not.toContain('secret-session')
  })

  it('gives the agent no right', async () => {
    await beat({ mode: 'strict' })
    const asked = await call('GET /beak/profile', { key: agent.beakKey })
    expect([asked.status, asked.body.reason]).toEqual([403, 'capability_missing'])
    expect((await change('dismiss', agent.beakKey)).status).toBe(403)
  })

  it('writes nothing for the same heartbeat again within a minute', async () => {
    await beat()
    const writes = (await statementsOf(() => beat())).filter((text) => /insert|update|begin/i.test(text))
    expect(writes).toEqual([])
  })

  it('keeps one row at 20 first heartbeats at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => beat({ session: `s${index}` })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await events('agent.guarded')).toHaveLength(1)
  })
})

describe('400', () => {
  it.each([
    [{ tool: 'cursor' }],
    [{ mode: 'off' }],
    [{ session: undefined }],
    [{ computer: 'o'.repeat(65) }],
    [{ computer: 'otter\nUrgent' }],
    [{ computer: 'otter\u202e' }],
    [{ version: '' }],
    [{ session: 's'.repeat(201) }],
    [{ since: 'yesterday' }],
    [{ extra: true }],
  ])('refuses %o', async (changes) => {
    expect((await beat(changes)).status).toBe(400)
  })
})

describe('the alarm', () => {
  it('tells that the agent works without a heartbeat', async () => {
    await beat()
    await age(silentSeconds + 1)
    await work()
    expect((await guard()).alarm).toBeNull()
    await later()
    expect((await guard()).alarm).toMatchObject({ cause: 'no_session' })
    expect(await events('agent.unguarded')).toMatchObject([
      { agent_name: 'Claude Code on otter', tool: 'claude', computer: 'otter', cause: 'no_session' },
    ])
    expect(await notices()).toBe(1)
  })

  it('is not raised when the heartbeat follows the first call', async () => {
    await beat()
    await age(silentSeconds + 1)
    await work()
    await beat({ session: 'a2' })
    await later()
    expect((await guard()).alarm).toBeNull()
  })

  it('is not raised for an agent without a guard, or within three hours of a heartbeat', async () => {
    await work()
    await later()
    expect(await guard()).toBeNull()
    await beat()
    await age(silentSeconds - 60)
    await work()
    await later()
    expect((await guard()).alarm).toBeNull()
    expect(await notices()).toBe(0)
  })

  it.each([
    ['unguarded', { event: 'unguarded', session: undefined }],
    ['disconnected', { event: 'disconnected', session: undefined }],
    ['weakened', { mode: 'watch' }],
  ])('tells that the guard is %s', async (cause, changes) => {
    await beat()
    await beat(changes)
    expect((await guard()).alarm).toMatchObject({ cause })
    expect(await events('agent.unguarded')).toMatchObject([{ cause }])
    expect(await notices()).toBe(1)
  })

  it.each([
    ['years ago', '2020-01-01T00:00:00Z', 7 * day],
    ['in years', '2999-01-01T00:00:00Z', 0],
  ])('says a time within the last week when the agent says %s', async (_, since, seconds) => {
    await beat()
    await beat({ event: 'unguarded', since })
    const said = new Date((await guard()).alarm.since).getTime()
    expect(Math.abs(said - ago(seconds).getTime())).toBeLessThan(60_000)
  })
})

describe('a hostile agent', () => {
  it('ends no alarm by any heartbeat, and does not change what it is about', async () => {
    await beat()
    await beat({ event: 'unguarded' })
    const { alarm } = await guard()
    for (const changes of [
      { session: 'a2' },
      { mode: 'strict' },
      { event: 'disconnected' },
      { tool: 'codex', computer: 'mink' },
    ])
      await beat(changes)
    expect(await guard()).toMatchObject({ alarm, tool: 'claude', computer: 'otter' })
  })

  it('reaches the owner once with 30 reports, also at once', async () => {
    await beat()
    await Promise.all(Array.from({ length: 15 }, () => beat({ event: 'unguarded' })))
    for (let index = 0; index < 5; index++) {
      await beat({ event: 'disconnected' })
      await beat({ session: `b${index}` })
      await beat({ mode: 'watch', session: `c${index}` })
    }
    expect(await notices()).toBe(1)
    expect(await events('agent.unguarded')).toHaveLength(1)
    expect(await events('agent.guarded')).toHaveLength(1)
  })

  it('does not bring back an alarm that the owner dismissed', async () => {
    await beat()
    const since = ago(hour).toISOString()
    await beat({ event: 'unguarded', since })
    expect((await change('dismiss')).body.guard.alarm).toBeNull()
    await beat({ event: 'unguarded', since })
    expect((await guard()).alarm).toBeNull()
    await beat({ event: 'unguarded' })
    expect((await guard()).alarm).toMatchObject({ cause: 'unguarded' })
  })

  it('leaves the owner an hour of peace after she dismissed an alarm about silence', async () => {
    await beat()
    await age(silentSeconds + 1)
    await work()
    await later()
    await change('dismiss')
    await work()
    await later()
    expect((await guard()).alarm).toBeNull()
    await age(hour + 60)
    await work()
    await later()
    expect((await guard()).alarm).toMatchObject({ cause: 'no_session' })
  })

  it('says nothing when it is suspended or of somebody else', async () => {
    await beat()
    const stranger = await aDuckling()
    expect((await change('dismiss', stranger.token)).status).toBe(404)
    await call('POST /beak/agent/suspend', { token: owner.token, body: { agent_id: agent.agentId } })
    expect((await beat({ event: 'unguarded' })).status).toBe(403)
    expect(await notices()).toBe(0)
  })

  it('does not dismiss an alarm with the session of a command line', async () => {
    await beat()
    await beat({ event: 'unguarded' })
    await db().session.updateMany({ where: { ducklingId: owner.id }, data: { amr: ['device'] } })
    expect((await change('dismiss')).status).toBe(403)
    expect((await guard()).alarm).not.toBeNull()
  })
})

describe('the owner', () => {
  it('switches alarms off and on for the agent', async () => {
    await beat()
    await beat({ event: 'unguarded' })
    expect((await change('off')).body.guard).toMatchObject({ warns: false, alarm: null })
    await beat({ event: 'disconnected' })
    await beat({ session: 'a2' })
    expect(await guard()).toMatchObject({ warns: false, alarm: null })
    expect(await notices()).toBe(1)
    await change('on')
    await beat({ event: 'unguarded' })
    expect((await guard()).alarm).not.toBeNull()
    expect([(await events('agent.alarms_off')).length, (await events('agent.alarms_on')).length]).toEqual([
      1, 1,
    ])
  })

  it('records a dismissal once', async () => {
    await beat()
    await beat({ event: 'unguarded' })
    await Promise.all([change('dismiss'), change('dismiss')])
    expect(await events('agent.alarm_dismissed')).toHaveLength(1)
  })
})
