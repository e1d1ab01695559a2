/** Messages that the service signed and sent, and messages that are changed, forged, old, repeated or too large. */
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { testWebhook } from '@/lib/domain/webhooks/claim-slot'
import { rotateWebhookSecret } from '@/lib/domain/webhooks/update'
import { aDuckling } from '@/lib/factories/ducklings'
import { type AWebhook, aReceiver, aWebhook, elevate, type Received } from '@/lib/fixtures/webhooks'
import { drainOutbox } from '@/lib/worker/start'
import {
  memoryWebhookStore,
  verifyWebhook,
  type WebhookEvent,
  type WebhookMessage,
  type WebhookOptions,
  webhookHandler,
} from './webhooks'
import { nodeWebhookHandler } from './webhooks-node'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const event = { type: 'trust.elevated', timestamp: '2026-01-01T00:00:00.000Z', data: { trust_tier: 'T2' } }

/** Signs a message as Standard Webhooks says. `seconds` is its age. */
function aMessage(options: { id?: string; seconds?: number; body?: string; by?: string } = {}) {
  const { id = 'MSG-1', seconds = 0, body = JSON.stringify(event), by = secret } = options
  const signedAt = new Date(Date.now() - seconds * 1000)
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, signedAt, body),
  }
  return { headers, body }
}

const reasonOf = async (
  { headers, body }: { headers: Record<string, string | string[]>; body: string | Uint8Array },
  by: string | string[] = secret,
) => {
  const verdict = await verifyWebhook(by, headers, body)
  return verdict.ok ? 'ok' : verdict.fault.reason
}

const requestOf = ({ headers, body }: { headers: Record<string, string>; body: string }) =>
  new Request('https://shop.example/hook', { method: 'POST', headers, body })

describe('a message of the service', () => {
  let received: Received
  let webhook: AWebhook
  beforeEach(async () => {
    const receiver = await aReceiver()
    webhook = await aWebhook(receiver.url)
    await elevate(webhook.owner)
    await drainOutbox()
    ;[received] = receiver.requests as [Received]
  })

  it('is read with its event', async () => {
    const verdict = await verifyWebhook(webhook.secret, received.headers, received.body)
    expect(verdict).toEqual({
      ok: true,
      facts: {
        id: received.headers['webhook-id'],
        sentAt: expect.any(Date),
        type: 'trust.elevated',
        event: {
          type: 'trust.elevated',
          timestamp: expect.any(String),
          data: { duckling_id: webhook.owner.id, previous_tier: 'T0', trust_tier: 'T1' },
        },
      },
    })
  })

  // security: receiver-4
  it('is refused with any byte of its body changed, and with any other header', async () => {
    const bytes = new Uint8Array(Buffer.from(received.body))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, difference) => {
        const altered = bytes.slice()
        altered[at] = (altered[at] ?? 0) ^ difference
        expect(await reasonOf({ headers: received.headers, body: altered }, webhook.secret)).toBe(
          'wrong_signature',
        )
      }),
      { numRuns: 100 },
    )
    const { 'webhook-timestamp': time = '' } = received.headers
    const changes: Record<string, string>[] = [
      { 'webhook-id': 'MSG-2' },
      { 'webhook-timestamp': String(Number(time) + 1) },
    ]
    for (const changed of changes)
      expect(
        await reasonOf({ headers: { ...received.headers, ...changed }, body: received.body }, webhook.secret),
      ).toBe('wrong_signature')
  })
})

describe('a rotated secret', () => {
  it('and the secret before it are both accepted for the same message', async () => {
    const receiver = await aReceiver()
    const owner = await aDuckling()
    const { id, secret: before } = await aWebhook(receiver.url, { owner })
    const { secret: after } = await rotateWebhookSecret(await owner.context(), id)
    await testWebhook(await owner.context(), id)
    const [message] = receiver.requests as [Received]
    for (const by of [before, after, [otherSecret, before], [after, otherSecret]])
      expect(await reasonOf(message, by)).toBe('ok')
    expect(await reasonOf(message, otherSecret)).toBe('wrong_signature')
  })
})

describe('a message', () => {
  // security: receiver-4
  it.each([
    [-301, 'too_new'],
    [-298, 'ok'],
    [298, 'ok'],
    [302, 'too_old'],
  ])('signed %i seconds ago is %s', async (seconds, reason) => {
    expect(await reasonOf(aMessage({ seconds }))).toBe(reason)
  })

  it('is refused without a header, with an empty one and with a repeated one', async () => {
    const { headers, body } = aMessage()
    for (const name of Object.keys(headers)) {
      for (const value of ['', ['a', 'b']])
        expect(await reasonOf({ headers: { ...headers, [name]: value }, body })).toBe('malformed')
      const { [name as 'webhook-id']: _, ...rest } = headers
      expect(await reasonOf({ headers: rest, body })).toBe('malformed')
    }
    for (const time of ['now', '1e9', '-1', ' 1', `${headers['webhook-timestamp']}x`])
      expect(await reasonOf({ headers: { ...headers, 'webhook-timestamp': time }, body })).toBe('malformed')
  })

  it('is accepted with one right signature beside others, and refused without', async () => {
    const { headers, body } = aMessage()
    const good = headers['webhook-signature']
    const under = (signature: string) =>
      reasonOf({ headers: { ...headers, 'webhook-signature': signature }, body })
    expect(await under(`v1,AAAA v1a,AAAA ${good}`)).toBe('ok')
    for (const bad of [
      'v1,',
      'v1',
      good.slice(3),
      `v2,${good.slice(3)}`,
      good.slice(0, -4),
      `${good}AAAA`,
      'v1,%',
    ])
      expect([bad, await under(bad)]).toEqual([bad, 'wrong_signature'])
    expect(await under(`${'v1,AAAA '.repeat(16)}${good}`)).toBe('wrong_signature')
  })

  it('has headers in any spelling, and a body of text or bytes', async () => {
    const { headers, body } = aMessage()
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    expect(await reasonOf({ headers: upper, body })).toBe('ok')
    expect((await verifyWebhook(secret, new Headers(headers), Buffer.from(body))).ok).toBe(true)
  })

  it.each([
    '',
    'text',
    '[]',
    'null',
    '{}',
    '{"type":1,"timestamp":"","data":{}}',
    '{"type":"a","timestamp":"b"}',
  ])('whose signed body is %j is no event', async (body) => {
    expect(await reasonOf(aMessage({ body }))).toBe('malformed')
  })

  it('of an unknown kind is read without an event', async () => {
    const body = JSON.stringify({ ...event, type: 'egg.hatched' })
    const verdict = await verifyWebhook(secret, aMessage({ body }).headers, body)
    expect(verdict).toMatchObject({ ok: true, facts: { type: 'egg.hatched', event: null } })
    const inherited = JSON.stringify({ ...event, type: 'constructor' })
    expect(await verifyWebhook(secret, aMessage({ body: inherited }).headers, inherited)).toMatchObject({
      facts: { event: null },
    })
  })

  it.each(['', 'whsec_', 'whsec_AAAA', 'secret', secret.slice(6), 'whsec_%%%%%%%%%%%%%%%%%%%%%%%%'])(
    'is not verified with %j, which is no secret',
    async (bad) => {
      const { headers, body } = aMessage()
      await expect(verifyWebhook(bad, headers, body)).rejects.toThrow(TypeError)
      expect(() => webhookHandler({ secret: bad, on: {} })).toThrow(TypeError)
    },
  )

  it('is not verified without a secret', async () => {
    const { headers, body } = aMessage()
    await expect(verifyWebhook([], headers, body)).rejects.toThrow(TypeError)
    expect(() => webhookHandler({ secret: [], on: {} })).toThrow(TypeError)
  })
})

/** Returns options that record what was received. */
function recording(options: Partial<WebhookOptions> = {}) {
  const events: WebhookEvent[] = []
  const others: WebhookMessage[] = []
  const errors: unknown[] = []
  const recorded: WebhookOptions = {
    secret,
    on: { 'trust.elevated': (one) => void events.push(one) },
    other: (one) => void others.push(one),
    onError: (error) => void errors.push(error),
    ...options,
  }
  return { options: recorded, events, others, errors }
}

describe('a handler for requests', () => {
  it('calls the function for the kind, and the other one for the rest', async () => {
    const { options, events, others } = recording()
    const handle = webhookHandler(options)
    expect((await handle(requestOf(aMessage()))).status).toBe(204)
    expect(
      (await handle(requestOf(aMessage({ body: JSON.stringify({ ...event, type: 'cert.issued' }) })))).status,
    ).toBe(204)
    expect(events).toEqual([event])
    expect(others.map(({ type }) => type)).toEqual(['cert.issued'])
  })

  it('refuses what it cannot verify and calls nothing', async () => {
    const { options, events, others, errors } = recording({ bytesMax: 200 })
    const handle = webhookHandler(options)
    const message = aMessage()
    const answers = [
      new Request('https://shop.example/hook'),
      requestOf({ ...message, body: `${message.body} ` }),
      requestOf(aMessage({ by: otherSecret })),
      requestOf(aMessage({ seconds: 400 })),
      requestOf({ headers: {}, body: message.body }),
      requestOf(aMessage({ body: JSON.stringify({ ...event, more: 'x'.repeat(200) }) })),
    ].map(async (request) => (await handle(request)).status)
    expect(await Promise.all(answers)).toEqual([405, 401, 401, 401, 400, 413])
    expect([events, others, errors]).toEqual([[], [], []])
  })

  it('answers 500 when the function fails, and receives the message when it is sent again', async () => {
    let fails = true
    const { options, errors } = recording({ store: memoryWebhookStore() })
    let received = 0
    const receive = async () => {
      received += 1
      if (fails) throw new Error('the database is down')
    }
    const handle = webhookHandler({ ...options, on: { 'trust.elevated': receive } })
    expect((await handle(requestOf(aMessage()))).status).toBe(500)
    fails = false
    expect((await handle(requestOf(aMessage()))).status).toBe(204)
    expect((await handle(requestOf(aMessage()))).status).toBe(204)
    expect(received).toBe(2)
    expect(errors).toEqual([new Error('the database is down')])
  })

  it('answers 500 when the store fails, and receives nothing', async () => {
    const store = {
      claim: () => {
        throw new Error('no store')
      },
      finish: () => undefined,
      release: () => undefined,
    }
    const { options, events, errors } = recording({ store })
    expect((await webhookHandler(options)(requestOf(aMessage()))).status).toBe(500)
    expect(events).toEqual([])
    expect(errors).toHaveLength(1)
  })
})

describe('a store', () => {
  // security: receiver-4
  it('lets a message be received once by 50 simultaneous requests, and again by none', async () => {
    const { options, events } = recording({ store: memoryWebhookStore() })
    // The function takes a turn of the event loop, so that the requests overlap.
    const receive = async (one: WebhookEvent) => {
      await new Promise((resolve) => setImmediate(resolve))
      events.push(one)
    }
    const handle = webhookHandler({ ...options, on: { 'trust.elevated': receive } })
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await handle(requestOf(aMessage()))).status),
    )
    expect(events).toHaveLength(1)
    expect(statuses.filter((status) => status === 204).length).toBeGreaterThan(0)
    expect(statuses.every((status) => status === 204 || status === 409)).toBe(true)
    expect((await handle(requestOf(aMessage()))).status).toBe(204)
    expect((await handle(requestOf(aMessage({ id: 'MSG-2' })))).status).toBe(204)
    expect(events).toHaveLength(2)
  })

  it('makes a repetition wait with 409 while the first attempt runs', async () => {
    let [start, finish] = [() => {}, () => {}]
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const running = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { options } = recording({ store: memoryWebhookStore() })
    const run = () => {
      start()
      return running
    }
    const handle = webhookHandler({ ...options, on: { 'trust.elevated': run } })
    const first = handle(requestOf(aMessage()))
    await started
    expect((await handle(requestOf(aMessage()))).status).toBe(409)
    finish()
    expect((await first).status).toBe(204)
    expect((await handle(requestOf(aMessage()))).status).toBe(204)
  })

  it('in memory keeps the newest ids only', () => {
    const store = memoryWebhookStore(2)
    for (const id of ['a', 'b', 'c']) {
      expect(store.claim(id)).toBe('new')
      store.finish(id)
    }
    expect([store.claim('c'), store.claim('b'), store.claim('a')]).toEqual(['done', 'done', 'new'])
  })
})

describe('a handler for node:http', () => {
  /** Starts a server with the handler and returns its address. `before` sees each request first. */
  async function aServer(
    options: WebhookOptions,
    before: (request: import('node:http').IncomingMessage) => Promise<void> = async () => {},
  ): Promise<string> {
    const handle = nodeWebhookHandler(options)
    const server = createServer(async (request, response) => {
      await before(request)
      await handle(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('receives what the service sends, so that its test succeeds', async () => {
    const events: WebhookEvent[] = []
    const owner = await aDuckling()
    // The secret is known only after the endpoint exists.
    const options = { secret, on: { 'webhook.test': (one: WebhookEvent) => void events.push(one) } }
    let handle = nodeWebhookHandler(options)
    const server = createServer((request, response) => handle(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const webhook = await aWebhook(url, { owner })
    expect((await testWebhook(await owner.context(), webhook.id)).sent).toMatchObject({ statusCode: 401 })
    handle = nodeWebhookHandler({ ...options, secret: webhook.secret })
    const { sent } = await testWebhook(await owner.context(), webhook.id)
    expect(sent).toMatchObject({ statusCode: 204, error: null })
    expect(events).toMatchObject([{ type: 'webhook.test', data: { webhook_id: webhook.id } }])
  })

  it('answers like the handler for requests', async () => {
    const { options, events } = recording({ bytesMax: 200 })
    const url = await aServer(options)
    const post = async (message: { headers: Record<string, string>; body: string }) =>
      (await fetch(url, { method: 'POST', ...message })).status
    expect(await post(aMessage())).toBe(204)
    expect(await post(aMessage({ by: otherSecret }))).toBe(401)
    expect(await post({ headers: {}, body: '' })).toBe(400)
    expect(await post(aMessage({ body: 'x'.repeat(100_000) }))).toBe(413)
    const get = await fetch(url)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect(events).toHaveLength(1)
  })

  it('says that the body was read before by a body parser', async () => {
    const { options, errors } = recording()
    const url = await aServer(options, async (request) => {
      for await (const _ of request);
    })
    expect((await fetch(url, { method: 'POST', ...aMessage() })).status).toBe(500)
    expect(String(errors[0])).toContain('before every body parser')
  })

  it('calls nothing when the body breaks off', async () => {
    const { options, events, errors } = recording()
    const url = await aServer(options)
    const { headers, body } = aMessage()
    const request = httpRequest(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
    })
    request.on('error', () => undefined)
    request.write(body.slice(0, 10), () => request.destroy())
    await expect.poll(() => errors.length).toBe(1)
    expect(events).toEqual([])
  })
})
