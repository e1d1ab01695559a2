import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { remindOfPecks } from '@/lib/domain/pecks/mail/remind'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPeck } from '@/lib/factories/pecks'
import { aPhone } from '@/lib/fixtures/browser-push'
import { aChannel } from '@/lib/fixtures/channels'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { sendMessage } from './deliver'
import { endReach, reach } from './fan-out'

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

type Phone = Awaited<ReturnType<typeof aPhone>> & { channel_id: string }

async function phone(): Promise<Phone> {
  const made = await aPhone()
  return { ...made, ...(await aChannel(owner, { kind: 'push', subscription: made.subscription })) }
}

/** Lets the push service answer with a status, as often as given, and as before afterwards. */
function refuse({ service }: Phone, status: number, times = Number.POSITIVE_INFINITY): void {
  const { answer } = service
  let left = times
  service.answer = (response, request) => {
    if (left-- > 0) response.writeHead(status).end()
    else answer(response, request)
  }
}

/** Moves the clock, and does what is due. */
async function pass(seconds: number): Promise<void> {
  vi.setSystemTime(secondsAfter(readClock(), seconds))
  await remindOfPecks(readClock())
  await drainOutbox()
}

const mails = async () => (await sentTo(owner.email)).filter(({ kind }) => kind.startsWith('peck_'))
const rows = (about: string) =>
  db().outbox.count({ where: { kind: 'channel_message', payload: { path: ['about'], equals: about } } })

/** Asks, and lets the phone get the announcement. Its reminder is due after 18 hours. */
async function announced(): Promise<string> {
  const { peck_id } = await aPeck(agent, owner)
  await drainOutbox()
  return peck_id
}

async function reject(peck_id: string): Promise<void> {
  const body = { peck_id, reason: 'Not now' }
  expect((await call('POST /beak/peck/reject', { token: owner.token, body })).status).toBe(200)
}

const announcement = (peckId: string, { channel_id: channelId }: Phone) =>
  db().peckAnnouncement.findUniqueOrThrow({ where: { peckId_channelId: { peckId, channelId } } })

describe('a reminder', () => {
  it('that a channel refuses is sent again after 5 and after 30 seconds, and then once', async () => {
    const one = await phone()
    const peckId = await announced()
    refuse(one, 503, 2)
    await pass(18 * hour)
    await pass(4)
    expect(one.service.requests).toHaveLength(2)
    await pass(1)
    expect(one.service.requests).toHaveLength(3)
    await pass(30)
    expect(one.messages().map(({ payload }) => payload.notification?.tag)).toEqual(Array(4).fill(peckId))
    expect(await announcement(peckId, one)).toMatchObject({
      remindedAt: expect.any(Date),
      remindFailedAt: null,
    })
    for (const seconds of [30, hour, hour]) await pass(seconds)
    expect(one.service.requests).toHaveLength(4)
    expect(await mails()).toEqual([])
  })

  it('is mailed after three failures, when no other channel took it', async () => {
    const one = await phone()
    const peckId = await announced()
    refuse(one, 503)
    for (const seconds of [18 * hour, 5, 30, 30, hour]) await pass(seconds)
    expect(one.service.requests).toHaveLength(4)
    expect(await rows('remind')).toBe(0)
    expect((await mails()).map(({ text }) => text.includes(peckId))).toEqual([true])
  })

  it('is not mailed when another channel took it', async () => {
    const [failing, working] = [await phone(), await phone()]
    await announced()
    refuse(failing, 503)
    for (const seconds of [18 * hour, 5, 30, 30]) await pass(seconds)
    expect(working.service.requests).toHaveLength(2)
    expect(await mails()).toEqual([])
  })

  it('is mailed once when two channels give it up at the same time', async () => {
    const phones = [await phone(), await phone()]
    await announced()
    for (const one of phones) refuse(one, 503)
    for (const seconds of [18 * hour, 5, 30]) await pass(seconds)
    expect(await mails()).toHaveLength(1)
  })

  it('is mailed when its channel was removed', async () => {
    const { channel_id } = await phone()
    const peckId = await announced()
    const body = { channel_id }
    expect((await call('POST /beak/channel/remove', { token: owner.token, body })).status).toBe(200)
    await pass(18 * hour)
    expect((await mails()).map(({ text }) => text.includes(peckId))).toEqual([true])
  })

  it('is not sent again after an attempt without a result, and mailed instead', async () => {
    const one = await phone()
    const peckId = await announced()
    await reach({ peck_id: peckId, about: 'remind' }, readClock())
    // What is in the database when a process dies after it began to send.
    await db().peckAnnouncement.updateMany({
      where: { peckId, channelId: one.channel_id },
      data: { remindTriedAt: readClock() },
    })
    await drainOutbox()
    expect(one.service.requests).toHaveLength(1)
    expect(await mails()).toHaveLength(1)
  })

  it('is sent once with 50 simultaneous workers, also after a failure', async () => {
    const one = await phone()
    const peckId = await announced()
    const payload = {
      about: 'remind' as const,
      channel_id: one.channel_id,
      peck_id: peckId,
      host: '127.0.0.1',
    }
    refuse(one, 503, 1)
    await expect(sendMessage(payload, readClock(), 1)).rejects.toThrow('http_status')
    await Promise.all(Array.from({ length: 50 }, () => sendMessage(payload, readClock(), 2)))
    expect(one.service.requests).toHaveLength(3)
  })

  it('is not sent again when the request was answered meanwhile', async () => {
    const one = await phone()
    const peckId = await announced()
    refuse(one, 503, 1)
    await pass(18 * hour)
    await reject(peckId)
    await pass(5)
    const [, , ...later] = one.messages().map(({ payload }) => payload)
    expect(later).toEqual([{ withdraw: peckId, app_badge: '0' }])
  })

  it('that arrives while the request is answered is taken away again', async () => {
    const one = await phone()
    const peckId = await announced()
    const { answer } = one.service
    one.service.answer = async (response, request) => {
      one.service.answer = answer
      await reject(peckId)
      await endReach({ peck_id: peckId }, readClock())
      await drainOutbox()
      answer(response, request)
    }
    await pass(18 * hour)
    await drainOutbox()
    expect(one.messages().at(-1)?.payload).toEqual({ withdraw: peckId, app_badge: '0' })
    expect(one.service.requests).toHaveLength(4)
  })
})

describe('the end of a notification', () => {
  it('that a channel refuses is sent again after 5 and after 30 seconds, and then once', async () => {
    const one = await phone()
    const peckId = await announced()
    refuse(one, 503, 2)
    await reject(peckId)
    for (const seconds of [0, 5, 30, 30, day]) await pass(seconds)
    const [, ...ends] = one.messages().map(({ payload }) => payload)
    expect(ends).toEqual(Array(3).fill({ withdraw: peckId, app_badge: '0' }))
    await endReach({ peck_id: peckId }, readClock())
    await drainOutbox()
    expect(one.service.requests).toHaveLength(4)
  })

  it('is given up after three failures, without a mail', async () => {
    const one = await phone()
    const peckId = await announced()
    refuse(one, 503)
    await reject(peckId)
    for (const seconds of [0, 5, 30, 120, hour]) await pass(seconds)
    expect(one.service.requests).toHaveLength(4)
    expect(await rows('withdraw')).toBe(0)
    expect(await mails()).toEqual([])
  })

  it('is not sent again after an attempt without a result', async () => {
    const one = await phone()
    const peckId = await announced()
    await reject(peckId)
    await endReach({ peck_id: peckId }, readClock())
    await db().peckAnnouncement.updateMany({ where: { peckId }, data: { withdrawnAt: readClock() } })
    await drainOutbox()
    expect(one.service.requests).toHaveLength(1)
  })
})
