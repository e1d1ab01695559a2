import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Client, parseAnswer } from './connection'
import { loopFlows, loopRequests } from './loops'

/** Starts a server on a free port. It ends with the test. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('parseAnswer', () => {
  it.each([
    ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n'],
  ])('returns null until a body with %s is complete', (_, text) => {
    for (let length = 0; length < text.length; length++)
      expect(parseAnswer(Buffer.from(text.slice(0, length)))).toBeNull()
    const answer = parseAnswer(Buffer.from(text))
    expect([answer?.status, answer?.text()]).toEqual([200, 'hello'])
  })
})

describe('loopRequests', () => {
  it('counts good answers and keeps its connections', async () => {
    const ports = new Set<number | undefined>()
    let answered = 0
    const origin = await listen((request, response) => {
      ports.add(request.socket.remotePort)
      answered++
      response.end('x'.repeat(100_000))
    })
    const requests = [{ path: '/a' }, { path: '/b' }]
    const result = await loopRequests({ origin, requests, seconds: 0.2, connections: 3 })
    expect(result).toMatchObject({ count: answered, errors: 0, firstError: null })
    expect(ports.size).toBe(3)
    expect(result.p50).toBeLessThanOrEqual(result.p99)
  })

  it('counts other statuses and broken connections as errors', async () => {
    const origin = await listen((request, response) => {
      if (request.url === '/broken') request.socket.destroy()
      else response.writeHead(500).end('failed')
    })
    const load = { origin, seconds: 0.1, connections: 1 }
    const failed = await loopRequests({ ...load, requests: [{ path: '/' }] })
    expect(failed).toMatchObject({ count: 0, firstError: '500 failed' })
    const broken = await loopRequests({ ...load, requests: [{ path: '/broken' }] })
    expect(broken.count).toBe(0)
    expect(broken.errors).toBeGreaterThan(0)
  })
})

describe('loopFlows', () => {
  it('stops when a flow has nothing left to do, or at the maximum', async () => {
    const origin = await listen((_, response) => response.end('{}'))
    const load = { origin, seconds: 60, flows: 2, max: 1000 }
    const flow = async (client: Client, index: number) => {
      await client.post('/', {})
      return index < 5
    }
    expect(await loopFlows(load, flow)).toMatchObject({ count: 5, errors: 0 })
    expect(await loopFlows({ ...load, max: 3 }, async () => true)).toMatchObject({ count: 3 })
  })
})
