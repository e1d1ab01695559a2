import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aReceiver, aWebhook, elevate } from '@/lib/fixtures/webhooks'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

const redeliver = (owner: ADuckling, body: object) =>
  call('POST /beak/webhook/redeliver', { token: owner.token, body })
const deliveries = async (owner: ADuckling, query = '') =>
  (await call(`GET /beak/webhook/deliveries${query}`, { token: owner.token })).body

describe('200', () => {
  it('sends a delivered message again with the same webhook-id, by each way to name the delivery', async () => {
    const receiver = await aReceiver()
    const { owner, id } = await aWebhook(receiver.url)
    await elevate(owner)
    await drainOutbox()
    const [{ delivery_id, message_id }] = (await deliveries(owner)).items
    for (const name of [{ delivery_id }, { message_id }, { message_id, webhook_id: id }]) {
      const { status, body } = await redeliver(owner, name)
      expect(status).toBe(200)
      expect(body).toMatchObject({ delivery_id, message_id, webhook_id: id, status: 'pending' })
      await drainOutbox()
    }
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(4).fill(message_id))
    const [delivery] = (await deliveries(owner)).items
    expect(delivery).toMatchObject({ delivery_id, status: 'delivered' })
    expect(delivery.attempts).toHaveLength(4)
  })

  it('replaces a retry that is still waiting, so that the message is sent once', async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const { owner } = await aWebhook(receiver.url)
    await elevate(owner)
    await drainOutbox()
    const [{ delivery_id }] = (await deliveries(owner, '?status=pending')).items
    receiver.answer = (response) => response.end()
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeliver(owner, { delivery_id })))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    await db().outbox.updateMany({
      where: { payload: { path: ['delivery_id'], equals: delivery_id } },
      data: { dueAt: secondsAfter(readClock(), -1) },
    })
    await drainOutbox()
    expect(receiver.requests).toHaveLength(2)
    const found = await deliveries(owner)
    expect(found.items).toMatchObject([{ status: 'delivered', next_attempt_at: null }])
    expect(found.items[0].attempts.map(({ status_code }: { status_code: number }) => status_code)).toEqual([
      500, 200,
    ])
  })

  it('gives a failed delivery eight new attempts', async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const { owner } = await aWebhook(receiver.url)
    await elevate(owner)
    const [{ delivery_id }] = (await deliveries(owner)).items
    await db().outbox.updateMany({
      where: { payload: { path: ['delivery_id'], equals: delivery_id } },
      data: { attempts: 7 },
    })
    await drainOutbox()
    expect((await deliveries(owner, '?status=failed')).items).toMatchObject([{ delivery_id }])
    await redeliver(owner, { delivery_id })
    await drainOutbox()
    const [delivery] = (await deliveries(owner)).items
    expect(delivery).toMatchObject({ status: 'pending', next_attempt_at: expect.any(String) })
    const wait = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts[1].attempted_at)
    expect(Math.floor(wait / 5_000)).toBe(1)
  })
})

describe('GET /beak/webhook/deliveries', () => {
  it('lists the deliveries of all endpoints in pages, newest first, and filters by endpoint and status', async () => {
    const [good, bad] = [await aReceiver(), await aReceiver((response) => response.writeHead(500).end())]
    const one = await aWebhook(good.url)
    const { owner } = one
    const two = await aWebhook(bad.url, { owner })
    const order = [one, two, one, two, two]
    for (const { id: webhook_id } of order)
      await call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id } })
    const expected = order.map(({ id }) => id).reverse()
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await deliveries(owner, `?limit=2${cursor}`)
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ webhook_id }: { webhook_id: string }) => webhook_id))
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
    } while (cursor !== '')
    expect(seen).toEqual(expected)
    expect((await deliveries(owner, `?webhook_id=${one.id}`)).items).toHaveLength(2)
    expect((await deliveries(owner, '?status=failed')).items).toHaveLength(3)
    expect((await deliveries(owner, `?status=failed&webhook_id=${one.id}`)).items).toEqual([])
    expect((await deliveries(await aDuckling())).items).toEqual([])
  })

  it.each(['?status=lost', '?webhook_id=none', '?limit=0', '?cursor=x', '?other=1'])(
    'returns 400 for an invalid query: %s',
    async (query) => {
      const { token } = await aDuckling({ tier: 'T0' })
      const { status } = await call(`GET /beak/webhook/deliveries${query}`, { token })
      expect(status).toBe(400)
    },
  )
})

describe('400, 404, 409', () => {
  let owner: ADuckling
  let delivery: { delivery_id: string; message_id: string; webhook_id: string }
  beforeAll(async () => {
    const receiver = await aWebhook('http://127.0.0.1:9/')
    owner = receiver.owner
    await call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id: receiver.id } })
    ;[delivery] = (await deliveries(owner)).items
  })

  it('returns 400 when neither delivery_id nor message_id is given', async () => {
    for (const body of [{}, { webhook_id: delivery.webhook_id }]) {
      const answer = await redeliver(owner, body)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ field: 'delivery_id' }])
    }
  })

  it('returns 400 without webhook_id when the message was sent to several endpoints', async () => {
    const receiver = await aReceiver()
    const one = await aWebhook(receiver.url)
    const two = await aWebhook(receiver.url, { owner: one.owner })
    await elevate(one.owner)
    await drainOutbox()
    const [{ message_id }] = (await deliveries(one.owner)).items
    const answer = await redeliver(one.owner, { message_id })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'webhook_id' }])
    const named = await redeliver(one.owner, { message_id, webhook_id: two.id })
    expect(named.body).toMatchObject({ message_id, webhook_id: two.id })
    await drainOutbox()
    expect(receiver.requests).toHaveLength(3)
  })

  it('returns 404 when delivery_id and message_id belong to different deliveries', async () => {
    const { delivery_id } = delivery
    const other = { delivery_id, message_id: 'MSG-00000000000000000000000000' }
    expect((await redeliver(owner, other)).status).toBe(404)
  })

  it('returns 409 when the endpoint is disabled', async () => {
    const { delivery_id, webhook_id } = delivery
    await call('POST /beak/webhook/update', { token: owner.token, body: { webhook_id, enabled: false } })
    expect((await redeliver(owner, { delivery_id })).body.code).toBe('E4008')
  })
})
