import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { NewChannel } from '@/lib/domain/channels/schema'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { anNtfyServer, aPhone } from '@/lib/fixtures/browser-push'
import { aChannel, changeConfigForTest } from '@/lib/fixtures/channels'
import { statementsOf } from '@/lib/fixtures/statements'
import { aReceiver } from '@/lib/fixtures/webhooks'
import { Postponed } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { sendMessage } from './deliver'
import { endReach, reach, summarize } from './fan-out'

const risky = { action: 'delete:database', params: { name: 'customers-production', force: true } }

let owner: ADuckling
let agent: AnAgent
beforeEach(async () => {
  await drainOutbox()
  await db().outbox.deleteMany()
  owner = await aDuckling()
  agent = await anAgent(owner)
})

const mails = async () => (await sentTo(owner.email)).filter(({ kind }) => kind.startsWith('peck_'))
const channel = (given: NewChannel) => aChannel(owner, given)
const phone = async () => {
  const made = await aPhone()
  return { ...made, ...(await channel({ kind: 'push', subscription: made.subscription })) }
}
const list = async () => (await call('GET /beak/channel/list', { token: owner.token })).body.items
const statusOf = async (id: string, token = owner.token) =>
  (await call(`GET /beak/peck/status?peck_id=${id}`, { token })).body
const settle = (body: object) => call('POST /beak/notifications/update', { token: owner.token, body })

const reject = async (peck_id: string) => {
  const body = { peck_id, reason: 'Not now' }
  expect((await call('POST /beak/peck/reject', { token: owner.token, body })).status).toBe(200)
}

/** Runs the announcement of a peck as if it were later. Returns when it is due again, or null. */
async function reachAt(peckId: string, now: Date, about?: 'remind'): Promise<Date | null> {
  try {
    await reach({ peck_id: peckId, ...(about === undefined ? {} : { about }) }, now)
    return null
  } catch (error) {
    if (error instanceof Postponed) return error.until
    throw error
  }
}

describe('a request of a known asker', () => {
  it('rings on the phone, which decrypts who asks, what, until when, link and badge, and not by mail', async () => {
    const { messages } = await phone()
    const { peck_id, ...sent } = await aPeck(agent, owner, { action: 'send:email' })
    expect(sent.notified_at).toBeUndefined()
    await drainOutbox()
    const [message, ...others] = messages()
    expect(others).toEqual([])
    expect(message?.payload).toMatchObject({
      web_push: 8030,
      notification: { navigate: `${config().baseUrl}/pecks/${peck_id}`, tag: peck_id, app_badge: '1' },
    })
    expect(message?.payload.notification?.title).toContain('wants to send an email')
    expect(message?.payload.notification?.body).toMatch(/, your agent\. Answer by .+\.$/)
    expect(message?.ttl).toBeGreaterThan(day - 60)
    expect(await mails()).toEqual([])
    expect((await statusOf(peck_id)).notified_at).toEqual(expect.any(String))
  })

  it('with a high risk rings on every channel and is mailed at once', async () => {
    const [{ messages }, ntfy, chat] = [await phone(), await anNtfyServer(), await aReceiver()]
    await channel({ kind: 'ntfy', url: ntfy.url })
    await channel({ kind: 'chat', url: `${chat.origin}/services/T/B/x` })
    const { peck_id } = await aPeck(agent, owner, risky)
    await drainOutbox()
    const click = `${config().baseUrl}/pecks/${peck_id}`
    expect(messages()).toHaveLength(1)
    expect(ntfy.shown).toMatchObject([{ topic: 'pond', priority: 5, click }])
    expect(chat.requests).toHaveLength(1)
    expect((await mails()).map(({ subject }) => subject)).toMatchObject([/^High risk/])
  })

  it('is signed for one’s own webhook', async () => {
    const server = await aReceiver()
    await channel({ kind: 'webhook', url: `${server.origin}/own` })
    const { peck_id } = await aPeck(agent, owner)
    await drainOutbox()
    const [request] = server.requests
    expect(request?.headers['webhook-signature']).toMatch(/^v1,/)
    expect(JSON.parse(request?.body ?? '').data.url).toBe(`${config().baseUrl}/pecks/${peck_id}`)
  })

  // security: asker-6
  it('of a stranger never rings, and says nothing of a notification', async () => {
    const { messages } = await phone()
    const stranger = await aDuckling()
    const { peck_id } = await aPeck(stranger, owner, risky)
    await drainOutbox()
    expect(messages()).toEqual([])
    expect(await mails()).toHaveLength(1)
    expect((await statusOf(peck_id, stranger.token)).notified_at).toBeUndefined()
  })

  // security: asker-4
  it('of a blocked asker rings nowhere and has the time that others have', async () => {
    const { messages } = await phone()
    const asker = await aDuckling()
    await acquaint(owner, asker.id)
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: asker.id } })
    const { peck_id } = await aPeck(asker, owner)
    await drainOutbox()
    expect(messages()).toEqual([])
    expect((await statusOf(peck_id, asker.token)).notified_at).toEqual(expect.any(String))
  })

  it('goes to the channels that its risk is chosen for', async () => {
    const { messages, channel_id } = await phone()
    await call('POST /beak/channel/update', { token: owner.token, body: { channel_id, announces: ['high'] } })
    await aPeck(agent, owner, { action: 'send:email' })
    await drainOutbox()
    expect(messages()).toEqual([])
    expect(await mails()).toHaveLength(1)
  })

  it('says when it was opened only if the target lets it', async () => {
    const open = (id: string) => call(`GET /beak/peck/details?peck_ids=${id}`, { token: owner.token })
    const [first, second] = [await aPeck(agent, owner, { action: 'read:a' }), await aPeck(agent, owner)]
    await open(first.peck_id)
    expect((await statusOf(first.peck_id)).seen_at).toBeUndefined()
    await settle({ shows_seen: true })
    await open(second.peck_id)
    expect((await statusOf(second.peck_id)).seen_at).toEqual(expect.any(String))
  })
})

describe('once', () => {
  it('announces with 50 simultaneous workers, and reminds once', async () => {
    const { messages } = await phone()
    const { peck_id } = await aPeck(agent, owner)
    const now = readClock()
    await Promise.all(Array.from({ length: 50 }, () => reachAt(peck_id, now)))
    await drainOutbox()
    expect(messages()).toHaveLength(1)
    const later = secondsAfter(now, 20 * hour)
    await Promise.all(Array.from({ length: 50 }, () => reachAt(peck_id, later, 'remind').catch(() => null)))
    await db().outbox.updateMany({ where: { kind: 'channel_message' }, data: { dueAt: now } })
    await drainOutbox()
    expect(messages()).toHaveLength(2)
  })

  it('reminds in Matrix too, whose servers ignore a message with a number that they have', async () => {
    const server = await aReceiver()
    const room = '/_matrix/client/v3/rooms/!a:m.example/send/m.room.message'
    await channel({ kind: 'chat', url: `${server.origin}${room}?access_token=t` })
    const { peck_id } = await aPeck(agent, owner)
    await drainOutbox()
    await reachAt(peck_id, secondsAfter(readClock(), 20 * hour), 'remind')
    await db().outbox.updateMany({ where: { kind: 'channel_message' }, data: { dueAt: readClock() } })
    await drainOutbox()
    const numbers = server.requests.map(({ path }) => path.slice(room.length))
    expect(new Set(numbers).size).toBe(2)
  })

  it('does not send again after a crash between the message and its record, and mails instead', async () => {
    const { messages, channel_id } = await phone()
    const { peck_id } = await aPeck(agent, owner)
    await reachAt(peck_id, readClock())
    // What is in the database when a process dies after it began to send.
    await db().peckAnnouncement.updateMany({ where: { peckId: peck_id }, data: { triedAt: readClock() } })
    await drainOutbox()
    expect(messages()).toEqual([])
    expect(await mails()).toHaveLength(1)
    expect(
      await db().peckAnnouncement.findMany({ where: { peckId: peck_id, channelId: channel_id } }),
    ).toMatchObject([{ announcedAt: null }])
  })

  it('sends one message of a row with 50 simultaneous workers', async () => {
    const { messages, channel_id } = await phone()
    const { peck_id } = await aPeck(agent, owner)
    await reachAt(peck_id, readClock())
    const payload = { about: 'announce' as const, channel_id, peck_id, host: '127.0.0.1' }
    await Promise.all(Array.from({ length: 50 }, () => sendMessage(payload, readClock(), 1)))
    expect(messages()).toHaveLength(1)
  })

  it('takes the notification away after the answer, and before one that waits at the push service', async () => {
    const { messages } = await phone()
    const { peck_id } = await aPeck(agent, owner)
    await drainOutbox()
    await reject(peck_id)
    await drainOutbox()
    await endReach({ peck_id }, readClock())
    await drainOutbox()
    const [announcement, withdrawal, ...others] = messages()
    expect(others).toEqual([])
    expect(withdrawal?.payload).toEqual({ withdraw: peck_id, app_badge: '0' })
    expect(withdrawal?.topic).toBe(announcement?.topic)
  })

  it('takes the notification away when its asker is blocked', async () => {
    const { messages } = await phone()
    const asker = await aDuckling()
    await acquaint(owner, asker.id)
    const { peck_id } = await aPeck(asker, owner)
    await drainOutbox()
    const body = { duckling_id: asker.id }
    expect((await call('POST /beak/peck/block', { token: owner.token, body })).status).toBe(200)
    await drainOutbox()
    expect(messages().at(-1)?.payload).toEqual({ withdraw: peck_id, app_badge: '0' })
  })

  it('is not announced when it was answered before its message', async () => {
    const { messages } = await phone()
    const { peck_id } = await aPeck(agent, owner)
    await reachAt(peck_id, readClock())
    await reject(peck_id)
    await drainOutbox()
    expect(messages()).toEqual([])
  })
})

describe('a channel that fails', () => {
  it('falls back to mail after three attempts, and says so in the list', async () => {
    const { service, channel_id } = await phone()
    service.answer = (response) => response.writeHead(503).end('secret of the host')
    const { peck_id } = await aPeck(agent, owner)
    await reachAt(peck_id, readClock())
    const payload = { about: 'announce' as const, channel_id, peck_id, host: '127.0.0.1' }
    for (const attempt of [1, 2])
      await expect(sendMessage(payload, readClock(), attempt)).rejects.toThrow('http_status')
    expect(await mails()).toEqual([])
    await sendMessage(payload, readClock(), 3)
    expect(await mails()).toHaveLength(1)
    expect((await list())[0]).toMatchObject({ last_error: 'http_status', failing_since: expect.any(String) })
  })

  it('mails once when two channels give up at the same time', async () => {
    const phones = [await phone(), await phone()]
    for (const { service } of phones) service.answer = (response) => response.writeHead(410).end()
    await aPeck(agent, owner)
    await drainOutbox()
    expect(await mails()).toHaveLength(1)
  })

  it('is deleted when the push service answers 404 or 410, also after a day offline', async () => {
    const { service } = await phone()
    await aPeck(agent, owner)
    await drainOutbox()
    for (const status of [404, 410]) {
      service.answer = (response) => response.writeHead(status).end()
      await aPeck(agent, owner, { action: `read:a${status}` })
      await drainOutbox()
      expect((await list()).map((one: { kind: string }) => one.kind)).toEqual(['mail'])
      const { subscription } = await aPhone()
      await channel({ kind: 'push', subscription: { ...subscription, endpoint: `${service.origin}/other` } })
    }
    expect(await db().auditEvent.count({ where: { ducklingId: owner.id, action: 'channel.ended' } })).toBe(2)
  })

  it('is skipped for mail after a day, tried once a day, and comes back with a success', async () => {
    const { messages, channel_id } = await phone()
    const now = readClock()
    const before = secondsAfter(now, -25 * hour)
    await db().channel.update({
      where: { id: channel_id },
      data: { failingSince: before, lastTriedAt: now, lastError: 'timeout' },
    })
    await aPeck(agent, owner, { action: 'read:a' })
    await drainOutbox()
    expect(messages()).toEqual([])
    expect(await mails()).toHaveLength(1)
    await db().channel.update({ where: { id: channel_id }, data: { lastTriedAt: before } })
    await aPeck(agent, owner, { action: 'read:b' })
    await drainOutbox()
    expect(messages()).toHaveLength(1)
    expect((await list())[0]).toMatchObject({ failing_since: null, last_error: null })
  })

  // security: asker-3
  it('does not follow redirects, and connects to nothing inside', async () => {
    const [inside, outside] = [await aReceiver(), await aReceiver()]
    outside.answer = (response) => response.writeHead(307, { Location: `${inside.origin}/x` }).end()
    const { channel_id } = await channel({ kind: 'chat', url: `${outside.origin}/services/x` })
    const test = () => call('POST /beak/channel/test', { token: owner.token, body: { channel_id } })
    expect((await test()).body).toMatchObject({ success: false, error: 'redirect' })
    expect(inside.requests).toEqual([])
    changeConfigForTest({ webhookAllowPrivate: false })
    expect((await test()).body).toMatchObject({ success: false, error: 'blocked_address', status_code: null })
    expect(outside.requests).toHaveLength(1)
    changeConfigForTest({ channelHosts: new Set(['127.0.0.1']) })
    expect((await test()).body).toMatchObject({ error: 'redirect' })
  })
})

describe('a test', () => {
  it('says what came back, without the body of the answer', async () => {
    const { channel_id, messages, service } = await phone()
    const test = () => call('POST /beak/channel/test', { token: owner.token, body: { channel_id } })
    expect((await test()).body).toMatchObject({ success: true, status_code: 201, error: null, detail: null })
    expect(messages()[0]?.payload.notification?.title).toBe('Test from Beak')
    service.answer = (response) => response.writeHead(403).end('secret of the host')
    const { body } = await test()
    expect(body).toMatchObject({
      success: false,
      status_code: 403,
      error: 'http_status',
      detail: expect.any(String),
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

describe('quiet hours and a pause', () => {
  /** In Berlin, the clock goes from 2:00 to 3:00 on 28 March 2027, and back from 3:00 to 2:00 on 31 October. */
  it.each([
    ['spring', '2027-03-28T00:30:00Z', '2027-03-28T05:00:00.000Z'],
    ['autumn', '2027-10-31T00:30:00Z', '2027-10-31T06:00:00.000Z'],
  ])('end at the time of the clock when it changes in %s', async (_, at, end) => {
    await phone()
    await settle({ quiet_hours: { from: '22:00', to: '07:00' }, time_zone: 'Europe/Berlin' })
    const { peck_id } = await aPeck(agent, owner)
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt: new Date('2028-01-01T00:00:00Z') } })
    const beforeEnd = secondsAfter(new Date(end), -60)
    expect(await reachAt(peck_id, new Date(at))).not.toBeNull()
    expect(await reachAt(peck_id, beforeEnd)).toEqual(new Date(end))
    expect(await reachAt(peck_id, new Date(end))).toBeNull()
  })

  it('with few times a day, a low risk waits for the next time by push and mail, and a high risk does not', async () => {
    await phone()
    await settle({ gathered: true, time_zone: 'UTC' })
    const low = await aPeck(agent, owner, { action: 'read:a' })
    const high = await aPeck(agent, owner, risky)
    const ends = new Date('2028-01-01T00:00:00Z')
    await db().peck.updateMany({
      where: { id: { in: [low.peck_id, high.peck_id] } },
      data: { expiresAt: ends },
    })
    const late = new Date('2027-06-01T10:00:00Z')
    expect(await reachAt(low.peck_id, late)).not.toBeNull()
    expect(await reachAt(high.peck_id, late)).toBeNull()
    expect(await reachAt(low.peck_id, new Date('2027-06-01T13:00:00Z'))).toBeNull()
    const soon = await aPeck(agent, owner, { action: 'read:b' })
    await db().peck.update({ where: { id: soon.peck_id }, data: { expiresAt: secondsAfter(late, hour) } })
    expect(await reachAt(soon.peck_id, late)).toBeNull()
  })

  it('hold everything but a high risk that may break them', async () => {
    const { messages } = await phone()
    await settle({ paused_until: secondsAfter(readClock(), hour).toISOString() })
    await aPeck(agent, owner, risky)
    await drainOutbox()
    expect(messages()).toEqual([])
    expect(await mails()).toEqual([])
    await settle({ high_breaks_quiet: true })
    await aPeck(agent, owner, { ...risky, message: 'Again' })
    const other = await aPeck(agent, owner, { action: 'delete:database', params: { name: 'b', force: true } })
    await aPeck(agent, owner, { action: 'read:a' })
    await drainOutbox()
    expect(messages().map(({ payload }) => payload.notification?.tag)).toContain(other.peck_id)
    expect(messages().every(({ payload }) => payload.notification?.title.startsWith('High risk'))).toBe(true)
  })

  it('hold a high risk of a stranger with an invitation, by push and by mail', async () => {
    const { messages } = await phone()
    await settle({
      paused_until: secondsAfter(readClock(), hour).toISOString(),
      high_breaks_quiet: true,
    })
    const { url } = (await call('POST /beak/invitation/create', { token: owner.token, body: {} })).body
    const ask = async (asker: ADuckling) => {
      const body = { target: url, scope: 'limited', ...risky }
      expect((await call('POST /beak/peck/request', { token: asker.token, body })).status).toBe(200)
    }
    await ask(await aDuckling())
    await drainOutbox()
    expect(messages()).toEqual([])
    await db().channel.deleteMany({ where: { ducklingId: owner.id } })
    await ask(await aDuckling())
    await drainOutbox()
    expect(await mails()).toEqual([])
  })
})

describe('many requests at once', () => {
  const remove = async (channel_id: string) => {
    const body = { channel_id }
    expect((await call('POST /beak/channel/remove', { token: owner.token, body })).status).toBe(200)
  }

  it.each(['before', 'after'])(
    'are mailed when their channel is removed %s the message about the rest',
    async (when) => {
      const { channel_id } = await phone()
      const asked = []
      for (let index = 0; index < 7; index++)
        asked.push(await aPeck(agent, owner, { action: `read:a${index}` }))
      for (const { peck_id } of asked) await reachAt(peck_id, readClock())
      await db().outbox.deleteMany({ where: { kind: { in: ['reach', 'channel_message'] } } })
      const { summaryId } = await db().peckAnnouncement.findFirstOrThrow({
        where: { channelId: channel_id, summaryId: { not: null } },
      })
      if (when === 'before') await remove(channel_id)
      await summarize({ duckling_id: owner.id, summary_id: summaryId ?? '' }, readClock())
      if (when === 'after') await remove(channel_id)
      await drainOutbox()
      expect(
        await db().peckAnnouncement.count({ where: { ducklingId: owner.id, channelId: 'CHAN-MAIL' } }),
      ).toBe(2)
      expect(await mails()).toHaveLength(1)
    },
  )

  // security: asker-6
  it('ring at most five times, then once for the rest, and every one of them is announced', async () => {
    const { messages } = await phone()
    const asked = []
    for (let index = 0; index < 40; index++)
      asked.push(await aPeck(agent, owner, { action: `read:a${index}` }))
    const now = readClock()
    for (const { peck_id } of asked) await reachAt(peck_id, now)
    await db().outbox.updateMany({ where: { kind: 'reach_summary' }, data: { dueAt: now } })
    await drainOutbox()
    const titles = messages().map(({ payload }) => payload.notification?.title)
    expect(titles.filter((title) => !title?.includes('more requests'))).toHaveLength(5)
    expect(titles.filter((title) => title?.includes('more requests'))).toEqual(['35 more requests wait'])
    expect(
      await db().peckAnnouncement.count({ where: { ducklingId: owner.id, announcedAt: { not: null } } }),
    ).toBe(40)
    expect(await mails()).toEqual([])
  })
})

describe('the cost', () => {
  it('of a request is at most one statement more than without channels', async () => {
    const ask = (action: string) => statementsOf(() => aPeck(agent, owner, { action }))
    await ask('read:first')
    const without = await ask('read:without')
    await channel({ kind: 'ntfy', url: 'http://127.0.0.1:9/pond' })
    const withChannel = await ask('read:with')
    expect(withChannel.length).toBeLessThanOrEqual(without.length + 1)
    expect(withChannel.filter((text) => text.includes('"Channel"')).length).toBe(1)
  })

  it('is one row for any number of channels', async () => {
    for (let index = 0; index < 5; index++)
      await channel({ kind: 'ntfy', url: `http://127.0.0.1:9/pond-${index}` })
    const { peck_id } = await aPeck(agent, owner)
    const rows = await db().outbox.findMany({
      where: { kind: { in: ['reach', 'channel_message', 'peck_mail'] } },
    })
    expect(rows.map(({ kind, payload }) => [kind, payload])).toEqual([['reach', { peck_id }]])
    await transaction(async (tx) => void (await tx.outbox.deleteMany()))
  })
})
