/** Tests over real sockets that long polls and streams free everything when their clients disconnect. */
import { createServer, request as open } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { slotsInUse } from '@/lib/domain/pecks/follow/connection-slots'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { nodeListener } from '@/lib/http/adapters'
import { watchers } from '@/lib/infrastructure/events/signals'
import { config, useConfig } from '@/lib/kernel/config'
import { serve } from './serve'
import { table } from './table'

const server = createServer(nodeListener(serve(table)))
const people: ADuckling[] = []
/** One peck from each person to another. */
const pecks: string[] = []

const before = config()

beforeAll(async () => {
  useConfig({ limits: { ...before.limits, authenticated: { perMinute: 60_000, burst: 10_000 } } })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  for (let count = 0; count < 20; count++) people.push(await aDuckling())
  for (const [index, asker] of people.entries())
    pecks.push((await aPeck(asker, people.at(index - 1) ?? asker)).peck_id)
})

afterAll(() => {
  useConfig(before)
  server.close()
  server.closeAllConnections()
})

interface Waiting {
  /** Resolves with the status when the answer has begun. Never resolves for a long poll that is aborted. */
  status: Promise<number>
  /** Closes the connection. */
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
      // A stream has begun when its first message arrives.
      response.once('data', () => resolve(response.statusCode ?? 0))
    })
  })
  request.end()
  return { status, abort: () => request.destroy() }
}

const sum = (counts: number[]) => counts.reduce((total, one) => total + one, 0)
const sumOf = (count: (id: string) => number) => sum(people.map(({ id }) => count(id)))
const polling = () => sum(pecks.map(watchers))
/** Opens that many streams or long polls for each person. */
const streamsOf = (each: number) =>
  people.flatMap(({ token }) => Array.from({ length: each }, () => wait('/beak/peck/stream', token)))
const pollsOf = (each: number) =>
  people.flatMap(({ token }, index) =>
    Array.from({ length: each }, () => wait(`/beak/peck/status?peck_id=${pecks[index]}&wait=30`, token)),
  )

describe('200 streams and 200 long polls', () => {
  it('free all slots and watchers when their clients disconnect, also the second time', async () => {
    for (let round = 0; round < 2; round++) {
      const streams = streamsOf(10)
      expect(new Set(await Promise.all(streams.map(({ status }) => status)))).toEqual(new Set([200]))
      expect([sumOf(slotsInUse), sumOf(watchers)]).toEqual([200, 200])
      const polls = pollsOf(10)
      await expect.poll(() => [polling(), sumOf(slotsInUse)], { timeout: 25_000 }).toEqual([200, 400])
      for (const one of [...streams, ...polls]) one.abort()
      await expect
        .poll(() => [sumOf(slotsInUse), sumOf(watchers), polling()], { timeout: 25_000 })
        .toEqual([0, 0, 0])
    }
  }, 120_000)

  it('free all slots and watchers when their clients disconnect before the answer begins', async () => {
    const waiting = [...streamsOf(10), ...pollsOf(5)]
    // Some are not connected yet, some are being authenticated, and some have begun.
    for (const one of waiting) {
      one.abort()
      await new Promise(setImmediate)
    }
    const connections = () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
    await expect.poll(connections, { timeout: 25_000 }).toBe(0)
    // Sooner than the timeout that frees the slot of an unread answer.
    await expect
      .poll(() => [sumOf(slotsInUse), sumOf(watchers), polling()], { timeout: 8_000 })
      .toEqual([0, 0, 0])
  }, 120_000)
})
