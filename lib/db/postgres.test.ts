/** PostgreSQL that is down, hangs or is slow. The latter two need a real server. */
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { databaseUrl, describeOnPostgres } from '@/lib/fixtures/source-files'
import { type Database, databaseOn } from './client'
import { isUnreachable } from './conflict'
import { servingPool } from './postgres'
import { transactionOn } from './transaction'

const url = databaseUrl ?? ''
const databases: Database[] = []

function databaseAt(connectionString: string): Database {
  const database = databaseOn(servingPool(connectionString))
  databases.push(database)
  return database
}

afterAll(() => Promise.all(databases.map((database) => database.close())))

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it succeeded',
    (error: unknown) => (isUnreachable(error) ? 'unreachable' : error),
  )

describe('a server that is down', () => {
  // security: check-60
  it('is an outage to every kind of query', async () => {
    const probe = createServer()
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    const database = databaseAt(`postgresql://postgres@127.0.0.1:${port}/nowhere`)
    expect(await failureOf(database.tx.rows`SELECT 1`)).toBe('unreachable')
    expect(await failureOf(database.tx.run`DELETE FROM "Session"`)).toBe('unreachable')
    expect(await failureOf(database.tx.session.findFirst())).toBe('unreachable')
    expect(await failureOf(transactionOn(database, (tx) => tx.session.findFirst()))).toBe('unreachable')
  })
})

interface AProxy {
  url: string
  /** Holds all traffic back until `thaw`. */
  freeze(): void
  thaw(): void
  close(): void
}

/** Starts a proxy between a client and a server, which can hang like a network. */
async function aProxy(target: string): Promise<AProxy> {
  const { hostname, port } = new URL(target)
  let isFrozen = false
  const sockets = new Set<Socket>()
  let releases: (() => void)[] = []
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (chunk) => (isFrozen ? releases.push(() => to.write(chunk)) : to.write(chunk)))
    from.on('close', () => (isFrozen ? releases.push(() => to.destroy()) : to.destroy()))
    from.on('error', () => undefined)
  }
  const server = createServer((client) => {
    const upstream = dial(Number(port || 5432), hostname)
    forward(client, upstream)
    forward(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxied = new URL(target)
  proxied.hostname = '127.0.0.1'
  proxied.port = String((server.address() as AddressInfo).port)
  return {
    url: proxied.href,
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      isFrozen = false
      for (const pass of releases) pass()
      releases = []
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describeOnPostgres('a server that does not answer', () => {
  it('is an outage after some seconds, and the interrupted transaction is rolled back', async () => {
    const proxy = await aProxy(url)
    const database = databaseAt(proxy.url)
    const name = `frozen-${Date.now()}`
    const insert = { data: { name, delta: 1 } }
    const interrupted = failureOf(
      transactionOn(database, async (tx) => {
        await tx.metricDelta.create(insert)
        proxy.freeze()
        await tx.metricDelta.create(insert)
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    const started = Date.now()
    const others = Array.from({ length: 12 }, () => failureOf(database.tx.rows`SELECT 1`))
    expect([await interrupted, ...(await Promise.all(others))]).toEqual(
      Array.from({ length: 13 }, () => 'unreachable'),
    )
    expect(Date.now() - started).toBeLessThan(20_000)
    proxy.thaw()
    const states = await database.tx.rows<{ inside: boolean }>`
      SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS "inside"`
    expect(states).toEqual([{ inside: false }])
    await expect.poll(() => database.tx.metricDelta.count({ where: { name } }), { timeout: 5_000 }).toBe(0)
    await transactionOn(database, (tx) => tx.metricDelta.create(insert))
    expect(await database.tx.metricDelta.deleteMany({ where: { name } })).toEqual({ count: 1 })
    proxy.close()
  }, 60_000)

  it('cancels a statement that takes too long, and works afterwards', async () => {
    const database = databaseAt(url)
    expect(await failureOf(transactionOn(database, (tx) => tx.run`SELECT pg_sleep(60)`))).toBe('unreachable')
    expect(await database.tx.rows`SELECT 1 AS "one"`).toEqual([{ one: 1 }])
  }, 60_000)
})
