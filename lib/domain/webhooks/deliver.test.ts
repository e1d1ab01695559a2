import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { db, Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import {
  type AWebhook,
  anElevation,
  aReceiver,
  aWebhook,
  elevate,
  type Received,
} from '@/lib/fixtures/webhooks'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import { deleteWebhook } from './delete'
import { deliverWebhook, retrySeconds } from './deliver'
import { updateWebhook } from './update'

const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers)

/** Returns the newest delivery of an endpoint, with its attempts in order. */
function deliveryOf({ id }: AWebhook) {
  return db().webhookDelivery.findFirstOrThrow({
    where: { endpointId: id },
    orderBy: { id: 'desc' },
    include: { attempts: { orderBy: { id: 'asc' } } },
  })
}

const outboxOf = (deliveryId: string) =>
  db().outbox.findMany({ where: { kind: 'webhook', payload: { path: ['delivery_id'], equals: deliveryId } } })

/** Makes the outbox row of a delivery due now. */
const makeDue = (deliveryId: string) =>
  db().outbox.updateMany({
    where: { payload: { path: ['delivery_id'], equals: deliveryId } },
    data: { dueAt: secondsAfter(readClock(), -1) },
  })

describe('a delivery', () => {
  // security: check-72
  it('of an event arrives once at each endpoint, in the form of Standard Webhooks', async () => {
    const [first, second] = [await aReceiver(), await aReceiver()]
    const webhook = await aWebhook(first.url)
    const { owner } = webhook
    await aWebhook(second.url, { owner })
    await elevate(owner)
    await drainOutbox()
    await drainOutbox()
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
    const [request] = first.requests as [Received]
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Beak-Webhooks/1',
      'webhook-id': expect.stringMatching(/^MSG-[0-9A-HJKMNP-TV-Z]{26}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
    expect(verify(webhook.secret, request)).toEqual({
      type: 'trust.elevated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { duckling_id: owner.id, previous_tier: 'T0', trust_tier: 'T1' },
    })
    expect(first.requests[0]?.headers['webhook-id']).toBe(second.requests[0]?.headers['webhook-id'])
    const delivery = await deliveryOf(webhook)
    expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAt: null })
    expect(await outboxOf(delivery.id)).toEqual([])
  })

  // security: receiver-5
  it('fails verification when body, id, timestamp or secret is different', async () => {
    const receiver = await aReceiver()
    const { owner, secret } = await aWebhook(receiver.url)
    await elevate(owner)
    await drainOutbox()
    const [{ body, headers }] = receiver.requests as [Received]
    const changed = (change: Record<string, string>) => () =>
      new Webhook(secret).verify(body, { ...headers, ...change })
    expect(changed({})).not.toThrow()
    expect(() => new Webhook(secret).verify(body.replace('T1', 'T3'), headers)).toThrow()
    expect(changed({ 'webhook-id': 'MSG-0000000000000000' })).toThrow()
    expect(changed({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })).toThrow()
    expect(() => new Webhook('whsec_c29tZSBvdGhlciBzZWNyZXQ=').verify(body, headers)).toThrow()
  })

  // security: receiver-6
  it('is not sent to endpoints that want other kinds, are disabled, or belong to another duckling', async () => {
    const receiver = await aReceiver()
    const { owner } = await aWebhook(receiver.url, { kinds: ['cert.issued', 'peck.sent'] })
    const off = await aWebhook(receiver.url, { owner })
    await updateWebhook(await owner.context(), off.id, { enabled: false })
    await aWebhook(receiver.url)
    await elevate(owner)
    await drainOutbox()
    expect(receiver.requests).toEqual([])
    const wanting = await aWebhook(receiver.url, { kinds: ['trust.elevated'] })
    await elevate(wanting.owner)
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
  })

  it('is not sent for a command that was rolled back', async () => {
    const receiver = await aReceiver()
    const { owner, id } = await aWebhook(receiver.url)
    const context = await owner.context()
    const failing = transaction(async (tx) => {
      anElevation(tx, context)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await drainOutbox()
    expect(receiver.requests).toEqual([])
    expect(await db().webhookDelivery.count({ where: { endpointId: id } })).toBe(0)
  })

  it('is sent by another worker when the first one died, after the lease has ended', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    const { id } = await deliveryOf(webhook)
    const [row] = await outboxOf(id)
    await db().outbox.updateMany({
      where: { id: row?.id ?? 0n },
      data: { claimedUntil: secondsAfter(readClock(), 60), attempts: 1 },
    })
    await drainOutbox()
    expect(receiver.requests).toEqual([])
    await db().outbox.updateMany({ where: { id: row?.id ?? 0n }, data: { claimedUntil: readClock() } })
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
    expect((await deliveryOf(webhook)).status).toBe('delivered')
  })
})

describe('a failed delivery', () => {
  // security: check-72
  it('is attempted eight times at the published intervals, with the same id and a new signature each time', async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end('down'))
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    const { id } = await deliveryOf(webhook)
    const waits: number[] = []
    for (;;) {
      await makeDue(id)
      await drainOutbox()
      const [row] = await outboxOf(id)
      if (!row) break
      const { attempts, nextAttemptAt, status } = await deliveryOf(webhook)
      expect(status).toBe('pending')
      expect(Math.abs(Number(nextAttemptAt) - Number(row.dueAt))).toBeLessThan(1_000)
      waits.push((Number(nextAttemptAt) - Number(attempts.at(-1)?.attemptedAt)) / 1000)
    }
    // The wait begins when the attempt ends.
    expect(waits.map((wait) => wait - (wait % 5))).toEqual(retrySeconds)
    expect(retrySeconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000])
    expect(receiver.requests).toHaveLength(8)
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    for (const request of receiver.requests) expect(() => verify(webhook.secret, request)).not.toThrow()
    const delivery = await deliveryOf(webhook)
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(delivery.attempts).toHaveLength(8)
    expect(delivery.attempts[0]).toMatchObject({ statusCode: 500, error: 'http_status', response: 'down' })
  })

  it('is signed with the time of each attempt', async () => {
    const receiver = await aReceiver((response) => response.writeHead(503).end())
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    const { id } = await deliveryOf(webhook)
    const now = readClock()
    for (const [attempt, at] of [now, secondsAfter(now, 5), secondsAfter(now, 200)].entries())
      await expect(deliverWebhook({ delivery_id: id }, at, attempt + 1)).rejects.toThrow('http_status')
    const stamps = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(stamps).toEqual([0, 5, 200].map((seconds) => Math.floor(now.getTime() / 1000) + seconds))
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-signature'])).size).toBe(3)
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1)
  })

  it('resets the failures of the endpoint when a later attempt succeeds', async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    await drainOutbox()
    const failing = await db().webhookEndpoint.findUniqueOrThrow({ where: { id: webhook.id } })
    expect(failing.failingSince).toBeInstanceOf(Date)
    receiver.answer = (response) => response.writeHead(204).end()
    const { id } = await deliveryOf(webhook)
    await makeDue(id)
    await drainOutbox()
    const delivery = await deliveryOf(webhook)
    expect(delivery.status).toBe('delivered')
    expect(delivery.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 204])
    const endpoint = await db().webhookEndpoint.findUniqueOrThrow({ where: { id: webhook.id } })
    expect(endpoint).toMatchObject({ failingSince: null, enabled: true })
  })

  it('records a timeout when the receiver does not answer in time', async () => {
    const receiver = await aReceiver(() => undefined)
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    const { id } = await deliveryOf(webhook)
    await expect(deliverWebhook({ delivery_id: id }, readClock(), 1, 150)).rejects.toThrow('timeout')
    const { attempts } = await deliveryOf(webhook)
    expect(attempts).toMatchObject([{ statusCode: null, error: 'timeout', response: null }])
    receiver.answer = (response) => response.end()
    await drainOutbox()
  })
})

describe('an endpoint', () => {
  const disabledEvents = ({ owner }: AWebhook) =>
    db().auditEvent.findMany({ where: { ducklingId: owner.id, action: 'webhook.disabled' } })
  const read = ({ id }: AWebhook) => db().webhookEndpoint.findUniqueOrThrow({ where: { id } })

  it('is disabled by a 410 answer: the event is recorded, the owner is notified, and nothing is sent any more', async () => {
    const receiver = await aReceiver((response) => response.writeHead(410).end())
    const webhook = await aWebhook(`${receiver.url}?token=sesame`)
    await elevate(webhook.owner)
    await drainOutbox()
    expect(await read(webhook)).toMatchObject({ enabled: false, disabledReason: 'gone' })
    const delivery = await deliveryOf(webhook)
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(await outboxOf(delivery.id)).toEqual([])
    expect(await disabledEvents(webhook)).toMatchObject([
      { outcome: 'success', actorType: 'system', metadata: { reason: 'gone' } },
    ])
    const [notice] = (await sentTo(webhook.owner.email)).filter(({ kind }) => kind === 'webhook_disabled')
    expect(notice?.text).toContain('410')
    expect(notice?.text).not.toContain('sesame')
    const context = await webhook.owner.context()
    await transaction(async (tx) => anElevation(tx, context))
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
  })

  it('is disabled only once when many deliveries get a 410 at the same time', async () => {
    const receiver = await aReceiver((response) => response.writeHead(410).end())
    const webhook = await aWebhook(receiver.url)
    const context = await webhook.owner.context()
    for (let index = 0; index < 16; index++) await transaction(async (tx) => anElevation(tx, context))
    const deliveries = await db().webhookDelivery.findMany({ where: { endpointId: webhook.id } })
    await Promise.all(deliveries.map(({ id }) => deliverWebhook({ delivery_id: id }, readClock(), 1)))
    expect(await disabledEvents(webhook)).toHaveLength(1)
    const statuses = await db().webhookDelivery.findMany({ where: { endpointId: webhook.id } })
    expect(statuses.map(({ status }) => status)).toEqual(Array(16).fill('failed'))
  })

  it('can be deleted while events are recorded, and no event fails', async () => {
    const receiver = await aReceiver()
    const { owner, id } = await aWebhook(receiver.url)
    const context = await owner.context()
    const happen = () => transaction(async (tx) => anElevation(tx, context))
    const events = () => Array.from({ length: 10 }, happen)
    await Promise.all([...events(), deleteWebhook(context, id), ...events()])
    expect(await db().webhookDelivery.count({ where: { endpointId: id } })).toBe(0)
    await drainOutbox()
  })

  it('is disabled after 120 hours of failures, not before', async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    const { id } = await deliveryOf(webhook)
    const now = readClock()
    const attempt = (seconds: number) =>
      deliverWebhook({ delivery_id: id }, secondsAfter(now, seconds), 1).catch(() => undefined)
    await attempt(0)
    await attempt(120 * hour - 60)
    expect(await read(webhook)).toMatchObject({ enabled: true })
    await attempt(120 * hour + 60)
    expect(await read(webhook)).toMatchObject({ enabled: false, disabledReason: 'failing' })
    expect(await disabledEvents(webhook)).toHaveLength(1)
    expect((await deliveryOf(webhook)).status).toBe('failed')
  })

  it('is not disabled because of its previous URL', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url)
    const context = await webhook.owner.context()
    receiver.answer = (response) =>
      void updateWebhook(context, webhook.id, { url: `${receiver.url}/new` }).then(() =>
        response.writeHead(410).end(),
      )
    await elevate(webhook.owner)
    await drainOutbox()
    expect(await read(webhook)).toMatchObject({ enabled: true, failingSince: null })
    expect(await deliveryOf(webhook)).toMatchObject({ status: 'pending' })
  })

  it('fails its pending deliveries when it is disabled, and does not receive them after it is enabled again', async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    await drainOutbox()
    const { id } = await deliveryOf(webhook)
    const context = await webhook.owner.context()
    await updateWebhook(context, webhook.id, { enabled: false })
    expect(await deliveryOf(webhook)).toMatchObject({ status: 'failed', nextAttemptAt: null })
    const on = await updateWebhook(context, webhook.id, { enabled: true })
    expect(on).toMatchObject({ enabled: true, disabled_reason: null })
    await makeDue(id)
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
    expect(await outboxOf(id)).toEqual([])
  })

  it('leaves no rows when it is deleted during a delivery', async () => {
    const receiver = await aReceiver()
    const webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    const { id } = await deliveryOf(webhook)
    receiver.answer = (response) =>
      void db()
        .webhookEndpoint.delete({ where: { id: webhook.id } })
        .then(() => response.writeHead(500).end())
    await drainOutbox()
    expect(receiver.requests).toHaveLength(1)
    expect(await outboxOf(id)).toEqual([])
    expect(await db().webhookAttempt.count({ where: { deliveryId: id } })).toBe(0)
  })
})

describe('the secret of an endpoint', () => {
  // security: backup-2
  it('is stored encrypted: no table contains its text or its bytes', async () => {
    const receiver = await aReceiver()
    const { owner, secret } = await aWebhook(receiver.url)
    await elevate(owner)
    await drainOutbox()
    const text = secret.slice('whsec_'.length)
    const hex = Buffer.from(text, 'base64').toString('hex')
    const tables = await db().rows<{ name: string }>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const found = await db().rows`
        SELECT 1 FROM ${Prisma.raw(`"${name}"`)} t
        WHERE t::text LIKE ${`%${text}%`} OR t::text LIKE ${`%${hex}%`} LIMIT 1`
      expect([name, found.length]).toEqual([name, 0])
    }
  })

  // security: backup-2, database-3
  it('can be decrypted only in the row of its endpoint', async () => {
    const receiver = await aReceiver()
    const owner = await aDuckling({ tier: 'T0' })
    const [one, other] = [await aWebhook(receiver.url, { owner }), await aWebhook(receiver.url, { owner })]
    const { secret } = await db().webhookEndpoint.findUniqueOrThrow({ where: { id: one.id } })
    await db().webhookEndpoint.update({ where: { id: other.id }, data: { secret } })
    await elevate(owner)
    const { id } = await deliveryOf(other)
    await expect(deliverWebhook({ delivery_id: id }, readClock(), 1)).rejects.toThrow()
    await db().webhookEndpoint.delete({ where: { id: other.id } })
  })
})
