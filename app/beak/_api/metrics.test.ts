/** The metrics of the process: what calls and commands add, what is read from the database, and what a stranger cannot do. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { statementsOf } from '@/lib/fixtures/statements'
import { appendNow, pendingEntries } from '@/lib/fixtures/tlog'
import { aNewNoteSigner } from '@/lib/fixtures/witnesses'
import { makeRegistry } from '@/lib/http/metrics/registry'
import { serveMetrics } from '@/lib/http/metrics/serve'
import { config, useConfig } from '@/lib/kernel/config'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { observe } from '@/lib/kernel/runtime/observer'
import { forget } from '@/lib/kernel/runtime/singleton'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { call, callRaw } from './call'

const configured = config()
let registry: ReturnType<typeof makeRegistry>

beforeAll(() => {
  registry = makeRegistry()
  return () => observe(null)
})
beforeEach(async () => {
  await db().run`DELETE FROM "Outbox"`
  await db().run`DELETE FROM "WebhookQueue"`
})
afterEach(() => useConfig(configured))

/** Reads the metrics as they are now, without those of the library. */
async function scrape(): Promise<string[]> {
  forget('cached.host-facts')
  const text = await registry.metrics()
  return text.split('\n').filter((line) => line.startsWith('beak_'))
}

/** Returns the value of a series, or null when there is none. */
async function metric(series: string): Promise<number | null> {
  const line = (await scrape()).find((one) => one.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

/** Returns how much a series grows while `work` runs. */
async function growth(series: string, work: () => Promise<unknown>): Promise<number> {
  const before = (await metric(series)) ?? 0
  await work()
  return ((await metric(series)) ?? 0) - before
}

const count = (operation: string, status: string) =>
  `beak_request_seconds_count{operation="${operation}",status="${status}"}`

describe('calls', () => {
  it('count by operation and class of the status', async () => {
    const { token } = await aDuckling()
    expect(await growth(count('getProfile', '2xx'), () => call('GET /beak/profile', { token }))).toBe(1)
    expect(await growth(count('getProfile', '4xx'), () => call('GET /beak/profile'))).toBe(1)
  })

  it('make no new series for unknown paths, methods, ids and parameters', async () => {
    const made = async () => (await scrape()).map((line) => line.split(' ')[0])
    const { token } = await aDuckling()
    const visit = async (mark: string) => {
      await call(`GET /beak/${mark}`)
      await call(`GET /beak/peck/status?peck_id=PECK-${mark}`, { token })
      await callRaw(`GET /.well-known/status-list/${mark}`)
      await callRaw(`DELETE /beak/profile?${mark}`, { headers: { 'x-request-id': mark } })
      await call('POST /beak/signin', { body: { email: `${mark}@pond.example`, otp: '000000' } })
    }
    await visit('first')
    const before = await made()
    for (let number = 0; number < 10; number++) await visit(`stranger${number}`)
    expect(await made()).toEqual(before)
    expect(before).toContain(count('none', '4xx'))
  })

  it('count a refused sign-in, but no malformed one', async () => {
    const signIn = (body: object) => call('POST /beak/signin', { body })
    const series = 'beak_sign_in_failures_total{operation="signIn"}'
    expect(await growth(series, () => signIn({ email: randomEmail(), otp: '000000' }))).toBe(1)
    expect(await growth(series, () => signIn({ email: 'nobody' }))).toBe(0)
  })
})

describe('pecks', () => {
  it('count when they change their state, and while they wait', async () => {
    const owner = await aDuckling()
    const agent = await anAgent(owner)
    const body = { target_duckling_id: owner.id, action: 'read:calendar', scope: 'limited' }
    const ask = async () => (await call('POST /beak/peck/request', { key: agent.beakKey, body })).body.peck_id
    let peck = ''
    const sent = await growth('beak_pecks_total{state="sent"}', async () => {
      peck = await ask()
    })
    const waiting = (await metric('beak_pecks_pending')) ?? 0
    expect([sent, waiting > 0]).toEqual([1, true])
    const cancel = () => call('POST /beak/peck/cancel', { token: owner.token, body: { peck_id: peck } })
    expect(await growth('beak_pecks_total{state="cancelled"}', cancel)).toBe(1)
    expect(await metric('beak_pecks_pending')).toBe(waiting - 1)
  })
})

describe('queues', () => {
  const row = (kind: string, seconds: number) => {
    const at = secondsAfter(readClock(), seconds)
    return { kind, payload: {}, dueAt: at, createdAt: at }
  }

  it('show how many messages wait, for how long, and how many were given up', async () => {
    await db().outbox.createMany({
      data: [
        row('notice', -100),
        row('peck_mail', 3600),
        // Its next attempt is in an hour, and it should have been sent 400 seconds ago.
        { ...row('code', 3600), attempts: 3, lateAt: secondsAfter(readClock(), -400) },
        { ...row('letter', -9000), failedAt: secondsAfter(readClock(), -60) },
        { ...row('letter', -9000), failedAt: secondsAfter(readClock(), -2 * 60 * minute) },
        row('text', 600),
      ],
    })
    const lines = await scrape()
    expect(lines).toContain('beak_queue_length{queue="mail"} 3')
    expect(lines).toContain('beak_queue_given_up{queue="mail"} 1')
    expect(lines).toContain('beak_queue_length{queue="text"} 1')
    expect(lines).toContain('beak_queue_oldest_seconds{queue="text"} 0')
    expect(await metric('beak_queue_oldest_seconds{queue="mail"}')).toBeCloseTo(400, -1)
  })

  it('show webhooks as overdue only when no worker claims for an account', async () => {
    await db().outbox.create({ data: row('webhook', -5000) })
    expect(await metric('beak_queue_oldest_seconds{queue="webhook"}')).toBe(0)
    await db().webhookQueue.create({
      data: { ducklingId: 'DUCK-TEST', dueAt: secondsAfter(readClock(), -50) },
    })
    expect(await metric('beak_queue_oldest_seconds{queue="webhook"}')).toBeCloseTo(50, -1)
  })

  it('show what is not yet in the transparency log', async () => {
    await appendNow()
    expect(await metric('beak_queue_oldest_seconds{queue="log"}')).toBe(0)
    await aDuckling()
    expect(await metric('beak_queue_length{queue="log"}')).toBeGreaterThan(0)
  })
})

it('shows since when a witness has not cosigned, also while checkpoints go on', async () => {
  const { vkey, key } = aNewNoteSigner('behind.example/w', 'cosignature')
  useConfig({ tlogWitnesses: [{ vkey, key, url: 'https://behind.example' }] })
  await pendingEntries(1)
  const { origin, size } = await appendNow()
  await db().logWitness.create({ data: { witness: vkey, origin, size: BigInt(size) } })
  const series = 'beak_witness_behind_seconds{witness="behind.example/w"}'
  expect(await metric(series)).toBe(0)
  await pendingEntries(1)
  const missed = (await appendNow()).signedAt
  await pendingEntries(1)
  await appendNow()
  const behind = (await metric(series)) ?? 0
  expect(behind).toBeGreaterThan(0)
  expect(behind).toBeGreaterThanOrEqual((readClock().getTime() - missed.getTime()) / 1000 - 1)
})

it('has no address, id or name of a person', async () => {
  const { email, id, token } = await aDuckling()
  await call('POST /beak/signin', { body: { email, otp: '000000' } })
  await call('GET /beak/profile', { token })
  const text = (await scrape()).join('\n')
  for (const secret of [email, id, token, 'DUCK-', '@']) expect(text).not.toContain(secret)
})

it('asks the database once in ten seconds, however often it is scraped', async () => {
  await scrape()
  const statements = await statementsOf(() =>
    Promise.all(Array.from({ length: 50 }, () => registry.metrics())),
  )
  expect(statements).toEqual([])
})

describe('the port', () => {
  /** Opens it, and returns a function that sends a request with a raw target, and returns status and text. */
  async function open(host = '127.0.0.1') {
    forget('cached.metrics.text')
    const port = await freePort()
    const server = await serveMetrics({ host, port }, () => registry.metrics())
    onTestFinished(() => void server.close())
    return (path: string, method = 'GET', headers: Record<string, string> = {}) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        request(
          { host: '127.0.0.1', port, path, method, headers: { connection: 'close', ...headers } },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (piece) => {
              text += piece
            })
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
          },
        )
          .once('error', reject)
          .end()
      })
  }

  it('answers /metrics only, and only reads', async () => {
    const send = await open()
    const { status, text } = await send('/metrics')
    expect([status, text]).toEqual([200, expect.stringContaining('nodejs_eventloop_lag_p99_seconds ')])
    expect((await send('/metrics?name=x')).status).toBe(200)
    expect(await send('/metrics', 'HEAD')).toEqual({ status: 200, text: '' })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
      expect((await send('/metrics', method)).status, method).toBe(405)
    const strange = [
      '/',
      '/metrics/',
      '//metrics',
      '/metrics%2f',
      '/Metrics',
      '/metrics/../healthz',
      '/beak/profile',
    ]
    for (const path of [...strange, '/healthz', '/.well-known/jwks.json', 'http://x.example/metrics', '*'])
      expect((await send(path)).status, path).toBe(404)
  })

  it('refuses a page that reaches it under a name of its own', async () => {
    const send = await open()
    expect((await send('/metrics', 'GET', { host: 'evil.example' })).status).toBe(403)
    expect((await send('/metrics', 'GET', { host: 'localhost:1' })).status).toBe(200)
    const anywhere = await open('0.0.0.0')
    expect((await anywhere('/metrics', 'GET', { host: 'beak-1:9464' })).status).toBe(200)
  })

  it('says what to do when the port is taken or the address is not of this machine', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo
    const read = async () => ''
    await expect(serveMetrics({ host: '127.0.0.1', port }, read)).rejects.toThrow(
      `Port ${port} is in use. Stop the program that uses it, or choose another port with METRICS_PORT.`,
    )
    await expect(serveMetrics({ host: '192.0.2.1', port }, read)).rejects.toThrow(
      'METRICS_HOST: this machine has no address 192.0.2.1',
    )
  })

  it('is not the port of the service', async () => {
    expect((await callRaw('GET /metrics')).status).toBe(404)
  })
})
