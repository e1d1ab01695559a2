import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { watchClock } from '@/lib/db/service-clock'
import { ignoreMeasurements } from '@/lib/kernel/clock'
import { forget } from '@/lib/kernel/singleton'
import { correctDate } from './date-header'

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
