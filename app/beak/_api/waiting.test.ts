/** Those who wait, over real sockets: when they are gone, nothing of them stays in the process. */
import { createServer, type IncomingMessage, request as open } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ADuckling, aDuckling } from '@/lib/fixtures/ducklings'
import { aPeck } from '@/lib/fixtures/pecks'
import { setPeer } from '@/lib/http/address'
import { config, useConfig } from '@/lib/kernel/config'
import { watchers } from '@/lib/pecks/changes'
import { openStreams } from '@/lib/pecks/stream'
import { serve } from './serve'
import { table } from './table'

const answer = serve(table)
// As server.ts does it.
const server = createServer(
  getRequestListener(
    (request, { incoming }) => {
      setPeer(request, (incoming as IncomingMessage).socket.remoteAddress ?? '')
      return answer(request)
    },
    { overrideGlobalObjects: false },
  ),
)
const people: ADuckling[] = []
let peckId = ''

const before = config()

beforeAll(async () => {
  useConfig({ limits: { ...before.limits, authenticated: { perMinute: 60_000, burst: 10_000 } } })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  for (let count = 0; count < 20; count++) people.push(await aDuckling())
  const [asker, target] = people
  if (!asker || !target) throw new Error('nobody is there')
  peckId = (await aPeck(asker, target)).peck_id
})

afterAll(() => {
  useConfig(before)
  server.close()
  server.closeAllConnections()
})

interface Waiting {
  /** Resolves with the status once headers have come; never for a long poll that is cut off. */
  status: Promise<number>
  /** Pulls the plug. */
  abort(): void
}

function wait(path: string, token: string): Waiting {
  const { port } = server.address() as AddressInfo
  const headers = { Authorization: `Bearer ${token}` }
  const request = open({ host: '127.0.0.1', port, path, headers, agent: false })
  request.on('error', () => undefined)
  const status = new Promise<number>((resolve) => {
    request.on('response', (response) => {
      response.on('error', () => undefined)
      // A stream has begun when its first message is there.
      response.once('data', () => resolve(response.statusCode ?? 0))
    })
  })
  request.end()
  return { status, abort: () => request.destroy() }
}

const sumOf = (count: (id: string) => number) =>
  people.map(({ id }) => count(id)).reduce((sum, one) => sum + one, 0)

describe('200 streams and 200 long polls', () => {
  it('leave nothing behind when their clients are cut off, again and again', async () => {
    const [asker] = people
    for (let round = 0; round < 2; round++) {
      const streams = Array.from({ length: 10 }, () =>
        people.map(({ token }) => wait('/beak/peck/stream', token)),
      ).flat()
      expect(new Set(await Promise.all(streams.map(({ status }) => status)))).toEqual(new Set([200]))
      expect([sumOf(openStreams), sumOf(watchers)]).toEqual([200, 200])
      const polls = Array.from({ length: 200 }, () =>
        wait(`/beak/peck/status?peck_id=${peckId}&wait=30`, asker?.token ?? ''),
      )
      await expect.poll(() => watchers(peckId), { timeout: 25_000 }).toBe(200)
      for (const one of [...streams, ...polls]) one.abort()
      await expect
        .poll(() => [sumOf(openStreams), sumOf(watchers), watchers(peckId)], { timeout: 25_000 })
        .toEqual([0, 0, 0])
    }
  }, 120_000)

  it('leave nothing behind when they are cut off before they have begun', async () => {
    const waiting = people.flatMap(({ token }) => [
      ...Array.from({ length: 10 }, () => wait('/beak/peck/stream', token)),
      ...Array.from({ length: 5 }, () => wait(`/beak/peck/status?peck_id=${peckId}&wait=30`, token)),
    ])
    // Some are not connected yet, some are being authenticated, some have begun.
    for (const one of waiting) {
      one.abort()
      await new Promise(setImmediate)
    }
    const connections = () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
    await expect.poll(connections, { timeout: 25_000 }).toBe(0)
    await expect
      .poll(() => [sumOf(openStreams), sumOf(watchers), watchers(peckId)], { timeout: 25_000 })
      .toEqual([0, 0, 0])
  }, 120_000)
})
