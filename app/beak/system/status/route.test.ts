import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { databaseOn, db } from '@/lib/db/client'
import { migrationNames } from '@/lib/db/migrate'
import { servingPool } from '@/lib/db/postgres'
import { connectRedis } from '@/lib/db/redis'
import { checkStatus } from '@/lib/domain/status/check-status'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aBacklog, aWebhook, deleteWaitingWebhooks } from '@/lib/fixtures/webhooks'
import { config, useConfig } from '@/lib/kernel/config'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { drainOutbox } from '@/lib/worker/start'
import manifest from '@/package.json'

const configured = config()
const database = singleton<object | null>('database', () => null)
afterEach(() => {
  useDatabase(database)
  useConfig(configured)
  forget('cached.work')
})

/** Deletes what tests of other files left waiting. A row that failed there becomes late minutes afterwards, while this file runs. */
async function deleteWaiting(): Promise<void> {
  await deleteWaitingWebhooks()
  await db().outbox.deleteMany()
}

function useDatabase(holder: object | null): void {
  forget('database')
  singleton('database', () => holder)
  forget('cached.work')
}

/** Uses a database at that local port that seems to be open already. */
function usePort(port: number): void {
  const opened = databaseOn(servingPool(`postgres://nobody@127.0.0.1:${port}/none`))
  useDatabase({ opened, opening: Promise.resolve(opened) })
}

/** Starts a server that accepts connections and never answers. */
async function startMute(): Promise<{ port: number; connections: () => number; close(): void }> {
  const sockets: Socket[] = []
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    sockets.push(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    connections: () => sockets.length,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const outage = {
  status: 'outage',
  agents_alive: 0,
  components: [
    { name: 'database', status: 'outage' },
    { name: 'outbox', status: 'outage' },
  ],
}

describe('GET /beak/system/status', () => {
  it('is operational when every component is', async () => {
    await deleteWaiting()
    await call('GET /beak/')
    const { status, body } = await call('GET /beak/system/status')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'operational',
      function_version: manifest.version,
      agents_alive: expect.any(Number),
      api_latency_ms: expect.any(Number),
      components: [
        { name: 'database', status: 'operational' },
        { name: 'outbox', status: 'operational' },
      ],
      checked_at: expect.stringMatching(/Z$/),
    })
    expect(body.api_latency_ms).toBeGreaterThan(0)
  })

  it('counts the bonded agents seen in the last five minutes', async () => {
    const now = readClock()
    const alive = async () => {
      forget('cached.work')
      return (await checkStatus(now)).agents_alive
    }
    const agent = await anAgent(await aDuckling())
    const see = (seconds: number) =>
      db().agent.update({
        where: { id: agent.agentId },
        data: { lastSeenAt: secondsAfter(now, -seconds) },
      })
    await see(5 * minute + 1)
    const others = await alive()
    await see(5 * minute - 1)
    expect(await alive()).toBe(others + 1)
    await db().agent.update({ where: { id: agent.agentId }, data: { status: 'suspended' } })
    expect(await alive()).toBe(others)
  })

  it('reads the number of agents at most once a second', async () => {
    const now = readClock()
    // Agents of other tests would be five minutes old during this one.
    const soon = secondsAfter(now, 2 - 5 * minute)
    await db().agent.updateMany({ where: { lastSeenAt: { lt: soon } }, data: { lastSeenAt: null } })
    forget('cached.work')
    const { agents_alive } = await checkStatus(now)
    // An agent is seen for the first time when it bonds.
    await anAgent(await aDuckling())
    expect((await checkStatus(secondsAfter(now, 0.9))).agents_alive).toBe(agents_alive)
    expect((await checkStatus(secondsAfter(now, 1))).agents_alive).toBe(agents_alive + 1)
  })

  it('is degraded while mail or webhooks have waited for more than five minutes', async () => {
    await deleteWaiting()
    const now = readClock()
    const dueAt = secondsAfter(now, -5 * minute - 1)
    const { id } = await db().outbox.create({ data: { kind: 'test', payload: {}, dueAt, createdAt: dueAt } })
    const late = await checkStatus(secondsAfter(now, 10))
    await db().outbox.update({ where: { id }, data: { failedAt: now } })
    const givenUp = await checkStatus(secondsAfter(now, 20))
    await db().outbox.delete({ where: { id } })
    expect(late).toMatchObject({
      status: 'degraded',
      components: [{ name: 'database' }, { name: 'outbox', status: 'degraded' }],
    })
    expect(givenUp.status).toBe('operational')
  })

  it('is degraded while the worker claims no webhooks, not while an endpoint is paused', async () => {
    await deleteWaiting()
    const now = readClock()
    const dueAt = secondsAfter(now, -5 * minute - 1)
    const webhook = await aWebhook('http://127.0.0.1:9/')
    await aBacklog(webhook, 1, dueAt)
    const unserved = await checkStatus(secondsAfter(now, 30))
    await db().webhookEndpoint.update({
      where: { id: webhook.id },
      data: { pausedUntil: secondsAfter(now, 600) },
    })
    await drainOutbox()
    const paused = await checkStatus(secondsAfter(now, 40))
    await db().outbox.deleteMany({ where: { endpointId: webhook.id } })
    expect([unserved.status, paused.status]).toEqual(['degraded', 'operational'])
  })

  it('is degraded while Redis does not answer', async () => {
    await deleteWaiting()
    forget('redis')
    useConfig({ redis: { url: 'redis://127.0.0.1:1' } })
    const { status, body } = await call('GET /beak/system/status')
    connectRedis()?.close()
    forget('redis')
    forget('limiters')
    expect([status, body.status]).toEqual([200, 'degraded'])
    expect(body.components).toContainEqual({ name: 'redis', status: 'outage' })
  })

  it('reports an outage with status 200 when the database is down', async () => {
    usePort(1)
    const { status, body } = await call('GET /beak/system/status')
    expect(status).toBe(200)
    expect(body).toMatchObject(outage)
  })

  it('reports an outage when the database was never reached', async () => {
    useDatabase({ opened: null, opening: Promise.reject(new Error('no route')) })
    expect((await call('GET /beak/system/status')).body).toMatchObject(outage)
  })

  it('answers in time when the database hangs, and sends one query for 20 simultaneous requests', async () => {
    const mute = await startMute()
    usePort(mute.port)
    const started = performance.now()
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('GET /beak/system/status')))
    expect(performance.now() - started).toBeLessThan(4_000)
    expect(mute.connections()).toBe(1)
    mute.close()
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject(outage)
    }
  })
})

describe('GET /healthz', () => {
  it('is ok while the process runs, with or without its database', async () => {
    expect((await call('GET /healthz')).body).toEqual({ status: 'ok' })
    useDatabase({ opened: null, opening: new Promise(() => undefined) })
    const { status, body } = await call('GET /healthz')
    expect([status, body]).toEqual([200, { status: 'ok' }])
  })
})

describe('GET /readyz', () => {
  const expectUnready = async () => {
    const { status, body, headers } = await call('GET /readyz')
    expect([status, body.code]).toEqual([503, 'E5002'])
    expect(headers.get('retry-after')).toBe(String(body.retry_after))
  }

  it('is ready when the database has every migration', async () => {
    const { status, body } = await call('GET /readyz')
    expect([status, body]).toMatchObject([200, { status: 'ready' }])
  })

  it('is not ready while the database is down or does not answer', async () => {
    usePort(1)
    await expectUnready()
    useDatabase({ opened: null, opening: new Promise(() => undefined) })
    await expectUnready()
  })

  it('is not ready while a migration of this build is missing', async () => {
    forget('migrations')
    singleton('migrations', () => [...migrationNames(), '29991231000000_later'])
    await expectUnready()
    forget('migrations')
    expect((await call('GET /readyz')).status).toBe(200)
  })
})

// security: check-60
describe('every other endpoint, while the database cannot be opened', () => {
  it.each(['GET /beak/metrics', 'POST /beak/signin/otp', 'GET /beak/profile'])(
    '%s returns 503 with Retry-After and without the cause',
    async (line) => {
      const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' })
      useDatabase({ opened: null, opening: Promise.reject(cause) })
      const { status, body, headers } = await call(line, {
        token: 'any',
        ...(line.startsWith('POST') ? { body: { email: 'a@example.com' } } : {}),
      })
      expect([status, body.code]).toEqual([503, 'E5002'])
      expect(headers.get('retry-after')).toBe(String(body.retry_after))
      expect(JSON.stringify(body)).not.toContain('10.1.2.3')
    },
  )
})
