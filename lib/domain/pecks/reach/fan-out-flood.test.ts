/** 500 requests in a minute to one person, counting what rings on her phone (contract F, Announcements on channels). */
import { expect, it, onTestFinished, vi } from 'vitest'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { type Asker, acquaint, aPeck } from '@/lib/factories/pecks'
import { aPhone } from '@/lib/fixtures/browser-push'
import { aChannel } from '@/lib/fixtures/channels'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

/** As many requests as may wait: 50 of her own agents, and 10 of each other operator with all agents. */
const ownRequests = 50
const operators = 45
const requestsOfOperator = 10
const steps = 10

it('lets 500 requests of 46 agents in a minute ring nine times, and then once for the rest', async () => {
  await drainOutbox()
  await db().outbox.deleteMany()
  const owner = await aDuckling()
  const others = await Promise.all(Array.from({ length: operators }, async () => anAgent(await aDuckling())))
  for (const { agentId } of others) await acquaint(owner, agentId)
  const askers: Asker[] = [
    ...Array(ownRequests).fill(await anAgent(owner)),
    ...others.flatMap((other) => Array(requestsOfOperator).fill(other)),
  ]
  const { subscription, messages } = await aPhone()
  await aChannel(owner, { kind: 'push', subscription })
  await drainOutbox()
  const mailsBefore = (await sentTo(owner.email)).length

  vi.useFakeTimers({ toFake: ['Date'], now: readClock() })
  onTestFinished(() => void vi.useRealTimers())
  const start = readClock()
  const perStep = askers.length / steps
  for (let step = 0; step < steps; step++) {
    vi.setSystemTime(secondsAfter(start, (step * minute) / steps))
    const asking = askers.slice(step * perStep, (step + 1) * perStep)
    await Promise.all(asking.map((asker, index) => aPeck(asker, owner, { action: `read:a${step}-${index}` })))
    await drainOutbox()
  }
  const rung = () => messages().map(({ payload }) => payload.notification?.title ?? '')
  // Five at once, and one every twelve seconds.
  expect(rung()).toHaveLength(9)
  for (let more = 1; more <= 3; more++) {
    vi.setSystemTime(secondsAfter(start, more * minute))
    await drainOutbox()
  }
  expect(rung().slice(9)).toEqual(['491 more requests wait'])
  const where = { ducklingId: owner.id, announcedAt: { not: null } }
  expect(await db().peckAnnouncement.count({ where })).toBe(askers.length)
  expect((await sentTo(owner.email)).slice(mailsBefore)).toEqual([])
}, 180_000)
