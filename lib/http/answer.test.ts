import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { watchClock } from '@/lib/db/service-clock'
import { instant } from '@/lib/kernel/request/fields'
import { project } from '@/lib/kernel/request/projection'
import { ignoreMeasurements } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { countSlices } from '@/lib/kernel/runtime/slices'
import { correctDate, jsonInSlices } from './answer'

it.each([0, 400 * 86_400, -86_400])(
  'sends the time of the service when the clock of the database is %d seconds ahead of that of the machine',
  async (seconds) => {
    const server = createServer((_request, response) => {
      correctDate(response)
      response.writeHead(200, { 'Content-Length': 0 }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.close()
      ignoreMeasurements(true)
      forget('clock.watch')
    })
    ignoreMeasurements(false)
    const rows = async <Row>() => [{ time: new Date(Date.now() + seconds * 1000) }] as Row[]
    await watchClock({ embedded: null, tx: { rows } })
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now() - seconds * 1000)).toBeLessThan(60_000)
  },
)

const Item = z.object({ id: z.string(), at: instant.nullable(), more: z.string().optional() })
const Answer = z.object({
  items: z.array(Item),
  inner: z.object({ list: z.array(Item), count: z.int() }),
  maybe: z.array(z.string()).nullable(),
  missing: z.string().optional(),
  total: z.int(),
})

const answerOf = (count: number) => ({
  items: Array.from({ length: count }, (_, n) => ({
    id: `"${n}" ü`,
    at: n % 2 ? new Date(n) : null,
    hidden: 'x',
  })),
  inner: { list: [{ id: 'a', at: null, more: 'b' }], count: 1, hidden: 2 },
  maybe: null,
  total: count,
  secret: 'not in the schema',
})

it.each([0, 1, 3000])('is the JSON of the projection of %i items, byte by byte', async (count) => {
  const answer = answerOf(count)
  expect(await jsonInSlices(Answer, answer)).toBe(JSON.stringify(project(Answer, answer)))
})

it('is made in slices when it is large, and at once when it is small', async () => {
  const before = countSlices()
  await jsonInSlices(Answer, answerOf(10))
  expect(countSlices() - before).toBe(0)
  await jsonInSlices(Answer, answerOf(10_000))
  expect(countSlices() - before).toBeGreaterThan(4)
})

it('throws for a value of another type, as the projection does', async () => {
  await expect(jsonInSlices(Answer, { ...answerOf(1), total: 'many' })).rejects.toThrow()
  await expect(jsonInSlices(Answer, { ...answerOf(1), items: [{ id: 1, at: null }] })).rejects.toThrow()
  await expect(jsonInSlices(Answer, { ...answerOf(1), items: undefined })).rejects.toThrow()
})
