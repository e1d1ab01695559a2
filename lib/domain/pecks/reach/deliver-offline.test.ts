/** A phone that is offline for a day, with a push service that keeps its messages as RFC 8030 says. */
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { remindOfPecks } from '@/lib/domain/pecks/mail/remind'
import { expirePecks } from '@/lib/domain/pecks/record'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPeck } from '@/lib/factories/pecks'
import { aPhone, type PushMessage } from '@/lib/fixtures/browser-push'
import { aChannel } from '@/lib/fixtures/channels'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

let owner: ADuckling
let agent: AnAgent
beforeEach(async () => {
  await drainOutbox()
  await db().outbox.deleteMany()
  owner = await aDuckling()
  agent = await anAgent(owner)
  vi.useFakeTimers({ toFake: ['Date'], now: readClock() })
  onTestFinished(() => void vi.useRealTimers())
})

/** A phone whose push service keeps each message until its end, and only the newest one of a topic. */
async function anOfflinePhone() {
  const { service, subscription, messages } = await aPhone()
  const { channel_id } = await aChannel(owner, { kind: 'push', subscription })
  const arrivals: Date[] = []
  const { answer } = service
  service.answer = (response, request) => {
    arrivals.push(readClock())
    answer(response, request)
  }
  /** Returns what the phone gets when it is online again. */
  const comeOnline = (): PushMessage['payload'][] => {
    const kept = new Map<string, PushMessage['payload'] | null>()
    for (const [index, { topic = '', ttl, payload }] of messages().entries()) {
      const end = secondsAfter(arrivals[index] ?? readClock(), ttl)
      kept.set(topic, end > readClock() ? payload : null)
    }
    return [...kept.values()].filter((payload) => payload !== null)
  }
  return { service, channel_id, comeOnline }
}

/** Moves the clock in steps of an hour, and does what is due. */
async function pass(hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed++) {
    vi.setSystemTime(secondsAfter(readClock(), hour))
    await expirePecks(readClock())
    await remindOfPecks(readClock())
    await drainOutbox()
  }
}

const ask = async (action: string, expiresIn: number) => {
  const { peck_id } = await aPeck(agent, owner, { action, expiresIn })
  await drainOutbox()
  return peck_id
}
const mails = async () => (await sentTo(owner.email)).filter(({ kind }) => kind.startsWith('peck_'))

it('shows a phone that was offline for a day only what still waits, each request once', async () => {
  const { comeOnline } = await anOfflinePhone()
  const expired = await ask('read:expired', 2 * hour)
  const answered = await ask('read:answered', 3 * day)
  const waiting = await ask('read:waiting', 30 * hour)
  const shown = () => comeOnline().flatMap(({ notification }) => notification?.tag ?? [])
  expect(shown()).toEqual([expired, answered, waiting])
  vi.setSystemTime(secondsAfter(readClock(), 2 * hour))
  // Before the worker takes it away.
  expect(shown()).toEqual([answered, waiting])
  await pass(4)
  const body = { peck_id: answered, reason: 'Not now' }
  expect((await call('POST /beak/peck/reject', { token: owner.token, body })).status).toBe(200)
  await pass(18)
  // Announced, and reminded of after 22.5 hours.
  expect(shown()).toEqual([waiting])
  expect(comeOnline().flatMap(({ withdraw }) => withdraw ?? [])).toEqual([answered])
  expect(await mails()).toEqual([])
})

it('mails what waits when the push service has given the phone up, and announces the next request by mail', async () => {
  const { service, channel_id } = await anOfflinePhone()
  const waiting = await ask('read:waiting', 30 * hour)
  await pass(20)
  service.answer = (response) => response.writeHead(410).end()
  await pass(4)
  expect(service.requests).toHaveLength(2)
  expect((await mails()).map(({ text }) => text.includes(waiting))).toEqual([true])
  expect(await db().channel.count({ where: { id: channel_id } })).toBe(0)
  expect(await db().auditEvent.count({ where: { ducklingId: owner.id, action: 'channel.ended' } })).toBe(1)
  const next = await ask('read:next', day)
  await pass(1)
  expect((await mails()).map(({ text }) => text.includes(next))).toEqual([false, true])
  expect(service.requests).toHaveLength(2)
})
