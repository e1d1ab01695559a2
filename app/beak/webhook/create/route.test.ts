import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deleteOldMessages } from '@/lib/domain/webhooks/delete'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aReceiver, aWebhook, type Received } from '@/lib/fixtures/webhooks'
import { useConfig } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'

const url = 'http://127.0.0.1:9/hook'
const create = (token: string, body: object = { url }) => call('POST /beak/webhook/create', { token, body })
const eventsOf = (id: string, action: string) =>
  db().auditEvent.findMany({ where: { ducklingId: id, action }, orderBy: { seq: 'asc' } })

let owner: ADuckling
beforeAll(async () => {
  owner = await aDuckling()
})

describe('200', () => {
  it('creates an endpoint, and no other answer contains its secret', async () => {
    const made = await create(owner.token, {
      url,
      kinds: ['cert.issued', 'peck.sent', 'cert.issued'],
      description: 'my bot',
    })
    expect(made.status).toBe(200)
    expect(made.body).toEqual({
      webhook_id: expect.stringMatching(/^WHK-[0-9A-HJKMNP-TV-Z]{26}$/),
      url,
      kinds: ['cert.issued', 'peck.sent'],
      description: 'my bot',
      enabled: true,
      disabled_reason: null,
      created_at: expect.any(String),
      secret_rotating_until: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...rest } = made.body
    const { webhook_id } = rest
    const listed = await call('GET /beak/webhook/list', { token: owner.token })
    expect(listed.body.items[0]).toEqual(rest)
    const others = [
      listed,
      await call('POST /beak/webhook/update', {
        token: owner.token,
        body: { webhook_id, description: 'other' },
      }),
      await call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id } }),
      await call('GET /beak/webhook/deliveries', { token: owner.token }),
    ]
    for (const { status, body } of others) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(secret.slice(6))
    }
    expect((await eventsOf(owner.id, 'webhook.created')).at(-1)).toMatchObject({
      outcome: 'success',
      targets: [{ type: 'webhook', id: webhook_id }],
      metadata: { host: '127.0.0.1:9' },
    })
  })

  it('subscribes to every kind when none is named', async () => {
    const { body } = await create(owner.token)
    expect(body.kinds).toEqual([])
  })

  it('lists only the caller’s endpoints in pages, newest first', async () => {
    const fresh = await aDuckling()
    const ids: string[] = []
    for (let index = 0; index < 3; index++) ids.unshift((await create(fresh.token)).body.webhook_id)
    const first = await call('GET /beak/webhook/list?limit=2', { token: fresh.token })
    const second = await call(`GET /beak/webhook/list?limit=2&cursor=${first.body.next_cursor}`, {
      token: fresh.token,
    })
    const found = [...first.body.items, ...second.body.items].map(({ webhook_id }) => webhook_id)
    expect(found).toEqual(ids)
    expect(second.body.next_cursor).toBeNull()
  })

  it('updates only the given properties', async () => {
    const { body: made } = await create(owner.token, { url, description: 'before' })
    const { webhook_id, secret, ...rest } = made
    const update = (change: object) =>
      call('POST /beak/webhook/update', { token: owner.token, body: { webhook_id, ...change } })
    expect((await update({})).body).toEqual({ webhook_id, ...rest })
    const changed = await update({ url: `${url}/new`, kinds: ['cert.issued'], description: null })
    expect(changed.body).toEqual({
      webhook_id,
      ...rest,
      url: `${url}/new`,
      kinds: ['cert.issued'],
      description: null,
    })
    expect((await update({ enabled: false })).body).toMatchObject({
      enabled: false,
      disabled_reason: 'owner',
    })
    expect((await update({ enabled: true })).body).toMatchObject({ enabled: true, disabled_reason: null })
    expect(await eventsOf(owner.id, 'webhook.updated')).toContainEqual(
      expect.objectContaining({
        metadata: expect.objectContaining({ changed: ['enabled'], enabled: false }),
      }),
    )
  })

  it('deletes an endpoint with its deliveries', async () => {
    const receiver = await aReceiver()
    const { id: webhook_id } = await aWebhook(receiver.url, { owner })
    await call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id } })
    expect(await db().webhookDelivery.count({ where: { endpointId: webhook_id } })).toBe(1)
    const deleted = await call('POST /beak/webhook/delete', { token: owner.token, body: { webhook_id } })
    expect(deleted.body).toEqual({ success: true, webhook_id })
    expect(await db().webhookDelivery.count({ where: { endpointId: webhook_id } })).toBe(0)
    const { body } = await call('GET /beak/webhook/list?limit=100', { token: owner.token })
    expect(body.items.map((item: { webhook_id: string }) => item.webhook_id)).not.toContain(webhook_id)
  })
})

describe('400', () => {
  it.each([
    [{}, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url: 'ftp://127.0.0.1/' }, 'url'],
    [{ url: 'http://me:secret@127.0.0.1/' }, 'url'],
    [{ url: 'http://127.0.0.1/#here' }, 'url'],
    [{ url: 'http://127.0.0.1/a b' }, 'url'],
    [{ url: `http://127.0.0.1/${'x'.repeat(2048)}` }, 'url'],
    [{ url: 5 }, 'url'],
    [{ url, kinds: 'cert.issued' }, 'kinds'],
    [{ url, kinds: ['session.started'] }, 'kinds.0'],
    [{ url, description: 'x'.repeat(281) }, 'description'],
    [{ url, secret: 'whsec_mine' }, 'secret'],
    [{ url, enabled: false }, 'enabled'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await create(owner.token, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'E4000', errors: [{ field }] })
  })

  // security: check-71
  it('refuses a URL with a private address, at create and at update', async () => {
    const { body } = await create(owner.token)
    useConfig({ webhookAllowPrivate: false })
    for (const privateUrl of [
      'https://127.0.0.1/',
      'https://localhost/',
      'https://[::ffff:10.0.0.1]/',
      url,
    ]) {
      const answers = [
        await create(owner.token, { url: privateUrl }),
        await call('POST /beak/webhook/update', {
          token: owner.token,
          body: { webhook_id: body.webhook_id, url: privateUrl },
        }),
      ]
      for (const answer of answers)
        expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, 'url'])
    }
    useConfig({ webhookAllowPrivate: true })
  })
})

describe('409', () => {
  it('is returned after 20 endpoints, even when 50 are created at the same time', async () => {
    const greedy = await aDuckling()
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(greedy.token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'E4008')).toHaveLength(30)
    expect(await db().webhookEndpoint.count({ where: { ducklingId: greedy.id } })).toBe(20)
  })
})

describe('POST /beak/webhook/rotate-secret', () => {
  const rotate = (token: string, webhook_id: string) =>
    call('POST /beak/webhook/rotate-secret', { token, body: { webhook_id } })

  describe('200', () => {
    // security: receiver-5
    it('signs with the new secret and, for 24 hours, also with the old one', async () => {
      const receiver = await aReceiver()
      const { owner, id, secret: old } = await aWebhook(receiver.url)
      const { status, body } = await rotate(owner.token, id)
      expect(status).toBe(200)
      expect(body.secret).toMatch(/^whsec_/)
      expect(body.secret).not.toBe(old)
      const hours = (Date.parse(body.secret_rotating_until) - Date.now()) / 3_600_000
      expect(hours).toBeGreaterThan(23.9)
      expect(hours).toBeLessThanOrEqual(24)

      const test = () => call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id: id } })
      const verify = (secret: string, { body: text, headers }: Received) =>
        new Webhook(secret).verify(text, headers)
      await test()
      const [during] = receiver.requests as [Received]
      expect(during.headers['webhook-signature']?.split(' ')).toHaveLength(2)
      expect(() => verify(old, during)).not.toThrow()
      expect(() => verify(body.secret, during)).not.toThrow()

      await db().webhookEndpoint.update({ where: { id }, data: { previousSecretUntil: readClock() } })
      await test()
      const after = receiver.requests[1] as Received
      expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1)
      expect(() => verify(body.secret, after)).not.toThrow()
      expect(() => verify(old, after)).toThrow()

      await deleteOldMessages(readClock())
      expect(await db().webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
        previousSecret: null,
        previousSecretUntil: null,
      })
    })

    it('keeps both new secrets when two rotations run at the same time', async () => {
      const receiver = await aReceiver()
      const { owner, id } = await aWebhook(receiver.url)
      const answers = await Promise.all([rotate(owner.token, id), rotate(owner.token, id)])
      await call('POST /beak/webhook/test', { token: owner.token, body: { webhook_id: id } })
      const [{ body, headers }] = receiver.requests as [Received]
      for (const answer of answers)
        expect(() => new Webhook(answer.body.secret).verify(body, headers)).not.toThrow()
    })
  })
})
