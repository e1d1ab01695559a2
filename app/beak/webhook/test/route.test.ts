import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aReceiver, aWebhook, type Received } from '@/lib/fixtures/webhooks'
import { useConfig } from '@/lib/kernel/config'
import { failureTable } from '@/lib/kernel/request/failures'

let owner: ADuckling
beforeAll(async () => {
  owner = await aDuckling()
})

const test = (webhook_id: string) =>
  call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id } })
const deliveries = async (id: string) =>
  (await call(`GET /beak/webhook/deliveries?webhook_id=${id}`, { token: owner.token })).body.items

describe('200', () => {
  it('sends a signed webhook.test to an endpoint of any kinds and returns the answer', async () => {
    const receiver = await aReceiver((response) => response.writeHead(201).end('got it'))
    const { id, secret } = await aWebhook(receiver.url, { owner, kinds: ['cert.issued'] })
    const { status, body } = await test(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message_id: receiver.requests[0]?.headers['webhook-id'],
      status_code: 201,
      latency_ms: expect.any(Number),
      response: 'got it',
      error: null,
    })
    const [request] = receiver.requests as [Received]
    expect(new Webhook(secret).verify(request.body, request.headers)).toMatchObject({
      type: 'webhook.test',
      data: { webhook_id: id },
    })
    expect(await deliveries(id)).toEqual([
      {
        delivery_id: expect.stringMatching(/^DLV-/),
        webhook_id: id,
        message_id: body.message_id,
        type: 'webhook.test',
        data: expect.objectContaining({ webhook_id: id }),
        status: 'delivered',
        created_at: expect.any(String),
        next_attempt_at: null,
        attempts: [
          {
            attempted_at: expect.any(String),
            status_code: 201,
            latency_ms: body.latency_ms,
            error: null,
            response: 'got it',
          },
        ],
      },
    ])
    const [event] = await db().auditEvent.findMany({
      where: { ducklingId: owner.id, action: 'webhook.tested' },
    })
    expect(event).toMatchObject({ outcome: 'success', metadata: { delivered: true, status_code: 201 } })
  })

  it('returns a failed attempt with 1 KiB of the answer, and does not retry', async () => {
    const receiver = await aReceiver((response) =>
      response.writeHead(500, { 'X-Inside': 'secret' }).end('e'.repeat(5_000)),
    )
    const { id } = await aWebhook(receiver.url, { owner })
    const { status, body } = await test(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: false, status_code: 500, error: 'http_status' })
    expect(body.response).toBe('e'.repeat(1024))
    const found = await deliveries(id)
    expect(found).toMatchObject([{ status: 'failed', next_attempt_at: null }])
    expect(JSON.stringify([body, found])).not.toMatch(/x-inside|secret/i)
  })

  it('reports a blocked address and nothing about the host', async () => {
    const receiver = await aReceiver()
    const { id } = await aWebhook(receiver.url.replace('http:', 'https:'), { owner })
    useConfig({ webhookAllowPrivate: false })
    const { body } = await test(id)
    useConfig({ webhookAllowPrivate: true })
    expect(body).toMatchObject({
      success: false,
      status_code: null,
      response: null,
      error: 'blocked_address',
    })
    expect(receiver.requests).toEqual([])
  })

  it('disables the endpoint on a 410 and mails its owner', async () => {
    const receiver = await aReceiver((response) => response.writeHead(410).end())
    const { id } = await aWebhook(receiver.url, { owner })
    expect((await test(id)).body).toMatchObject({ success: false, status_code: 410 })
    const { body } = await call('GET /beak/webhook/list', { token: owner.token })
    expect(body.items[0]).toMatchObject({ webhook_id: id, enabled: false, disabled_reason: 'gone' })
    const notices = (await sentTo(owner.email)).filter(({ kind }) => kind === 'webhook_disabled')
    expect(notices).toHaveLength(1)
  })
})

describe('400', () => {
  it.each([{}, { webhook_id: 'DUCK-00000000000000000000000000' }, { webhook_id: null }])(
    'names the field webhook_id for %j',
    async (body) => {
      const answer = await call('POST /beak/webhook/test', { token: owner.token, body })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ field: 'webhook_id' }])
    },
  )
})

describe('404', () => {
  it('is returned when the endpoint is deleted during the test', async () => {
    const receiver = await aReceiver()
    const { id } = await aWebhook(receiver.url, { owner })
    receiver.answer = (response) =>
      void call('POST /beak/webhook/delete', { token: owner.token, body: { webhook_id: id } }).then(() =>
        response.end(),
      )
    expect((await test(id)).status).toBe(404)
  })
})

describe('409', () => {
  it('is returned when the endpoint is disabled', async () => {
    const receiver = await aReceiver()
    const { id } = await aWebhook(receiver.url, { owner })
    await call('POST /beak/webhook/update', { token: owner.token, body: { webhook_id: id, enabled: false } })
    const { status, body } = await test(id)
    expect([status, body.code]).toEqual([409, 'E4008'])
    expect(receiver.requests).toEqual([])
  })
})

describe('429', () => {
  it('refuses a third simultaneous test with Retry-After, and does not record the refusal', async () => {
    const releases: (() => void)[] = []
    const receiver = await aReceiver((response) => releases.push(() => response.end()))
    const { id } = await aWebhook(receiver.url, { owner })
    const running = [test(id), test(id)]
    await expect.poll(() => receiver.requests.length).toBe(2)
    const before = await db().auditEvent.count({ where: { ducklingId: owner.id } })
    const { status, body, headers } = await test(id)
    expect([status, body.code, body.detail]).toEqual([429, 'E4004', failureTable.webhook_busy.detail])
    expect(body.retry_after).toBeGreaterThan(0)
    expect(body.retry_after).toBeLessThanOrEqual(15)
    expect(headers.get('retry-after')).toBe(String(body.retry_after))
    expect(await db().auditEvent.count({ where: { ducklingId: owner.id } })).toBe(before)
    for (const release of releases) release()
    for (const { body: result } of await Promise.all(running)) expect(result.success).toBe(true)
  })
})
