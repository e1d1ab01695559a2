import { beforeEach, describe, expect, it, vi } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { rotateKey } from '@/lib/domain/agents/credentials'
import { suspendAgent } from '@/lib/domain/agents/suspend'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { watchers } from '@/lib/infrastructure/events/signals'
import { slotsInUse } from './connection-slots'
import { peckStatus } from './stream'

let operator: ADuckling
let target: ADuckling
let agent: AnAgent
let peckId: string
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(operator)
  peckId = (await aPeck(agent, target)).peck_id
})

const poll = (who: { token: string } | { key: string }, id = peckId, wait = 30) =>
  call(`GET /beak/peck/status?peck_id=${id}&wait=${wait}`, who)

const approve = async (id = peckId) =>
  approvePeck(await target.context(), { peckId: id, grantExpiresIn: undefined, passkey: undefined })

async function openStream(token: string) {
  const response = await callRaw('GET /beak/peck/stream', { token })
  const reader = response.body?.getReader()
  if (response.status === 200) await reader?.read()
  return { status: response.status, next: () => reader?.read(), cancel: () => reader?.cancel() }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
async function untilTaken(count: number): Promise<void> {
  while (slotsInUse(operator.id) !== count) await turn()
}
async function untilWatched(id: string): Promise<void> {
  while (watchers(id) === 0) await turn()
}

describe('long polls and streams', () => {
  it('share 20 slots of an account and its agents, and the next one gets 429', async () => {
    const streams = []
    for (let index = 0; index < 6; index++) streams.push(await openStream(operator.token))
    const polls = [
      ...Array.from({ length: 7 }, () => poll({ token: operator.token })),
      ...Array.from({ length: 7 }, () => poll({ key: agent.beakKey })),
    ]
    await untilTaken(20)
    const refused = [
      await poll({ token: operator.token }),
      await poll({ key: agent.beakKey }),
      await call('GET /beak/peck/stream', { token: operator.token }),
    ]
    for (const { status, body, headers } of refused) {
      expect([status, body.code, body.retry_after]).toEqual([429, 'E4004', 5])
      expect(headers.get('retry-after')).toBe('5')
    }
    expect((await openStream(target.token)).status).toBe(200)
    await streams[0]?.cancel()
    const again = await openStream(operator.token)
    expect(again.status).toBe(200)
    await approve()
    expect(new Set((await Promise.all(polls)).map(({ body }) => body.status))).toEqual(new Set(['approved']))
    await Promise.all([...streams, again].map(({ cancel }) => cancel()))
    expect(slotsInUse(operator.id)).toBe(0)
  })

  it('get exactly 20 slots when 50 start at the same time', async () => {
    const polls = Array.from({ length: 50 }, () => poll({ token: operator.token }))
    await untilTaken(20)
    const refused = Promise.all(polls).then((all) => all.filter(({ status }) => status === 429))
    await approve()
    expect((await refused).length).toBeLessThanOrEqual(30)
    expect(slotsInUse(operator.id)).toBe(0)
  })

  it('use no slot for a decided peck or a poll without a wait', async () => {
    const streams = []
    for (let index = 0; index < 20; index++) streams.push(await openStream(operator.token))
    expect((await poll({ token: operator.token }, peckId, 0)).body.status).toBe('pending')
    expect((await poll({ token: operator.token })).status).toBe(429)
    await approve()
    expect((await poll({ token: operator.token })).body.status).toBe('approved')
    await Promise.all(streams.map(({ cancel }) => cancel()))
  })

  it('release their slot when the client disconnects, sends HEAD, or never reads', async () => {
    const leaving = new AbortController()
    const waiting = peckStatus(await operator.context(), peckId, 30, leaving.signal)
    await untilTaken(1)
    leaving.abort()
    await waiting
    expect(slotsInUse(operator.id)).toBe(0)
    expect((await callRaw('HEAD /beak/peck/stream', { token: operator.token })).status).toBe(200)
    expect(slotsInUse(operator.id)).toBe(0)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await callRaw('GET /beak/peck/stream', { token: operator.token })
      expect(slotsInUse(operator.id)).toBe(1)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(slotsInUse(operator.id)).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a credential that ends during the wait', () => {
  // security: session-2
  it('gets 401 and no grant when the session of a long poll was signed out', async () => {
    const token = await anotherSession(operator)
    const waiting = poll({ token })
    await untilWatched(peckId)
    await call('POST /beak/signout', { token })
    await approve()
    const { status, body } = await waiting
    expect([status, body.code, body.grant_token]).toEqual([401, 'E4006', undefined])
  })

  it('gets 401 and no grant when the key of a long poll was rotated', async () => {
    const waiting = poll({ key: agent.beakKey })
    await untilWatched(peckId)
    await rotateKey(await operator.context(), agent.agentId, 90)
    await approve()
    const { status, body } = await waiting
    expect([status, body.code, body.grant_token]).toEqual([401, 'E4001', undefined])
  })

  it('gets 403 and no grant when the agent of a long poll was suspended', async () => {
    const waiting = poll({ key: agent.beakKey })
    await untilWatched(peckId)
    await suspendAgent(await operator.context(), agent.agentId)
    await approve()
    const { status, body } = await waiting
    expect([status, body.code, body.grant_token]).toEqual([403, 'E4007', undefined])
  })

  // security: session-2
  it('gets no further message of a stream when its session was signed out', async () => {
    const token = await anotherSession(operator)
    const stream = await openStream(token)
    const next = stream.next()
    await call('POST /beak/signout', { token })
    await approve()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(slotsInUse(operator.id)).toBe(0)
  })
})
