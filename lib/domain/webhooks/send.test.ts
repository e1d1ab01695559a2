import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { aReceiver } from '@/lib/fixtures/webhooks'
import { send } from './send'

const post = (url: string, timeoutMs = 5_000) => send(url, { 'X-Test': 'yes' }, '{"a":1}', timeoutMs)

/** Starts a TCP server that answers every connection with these bytes. With `closes` it then ends the connection. */
async function aRawServer(bytes: string, closes = false): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => (closes ? socket.end(bytes) : socket.write(bytes)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, close: () => server.close() }
}

describe('send', () => {
  it('posts the body unchanged and returns status, latency and text of a 2xx answer', async () => {
    const receiver = await aReceiver((response) => response.writeHead(202).end('thanks'))
    expect(await post(receiver.url)).toEqual({
      statusCode: 202,
      latencyMs: expect.any(Number),
      error: null,
      response: 'thanks',
    })
    expect(receiver.requests).toMatchObject([
      { method: 'POST', path: '/hook', body: '{"a":1}', headers: { 'x-test': 'yes', 'content-length': '7' } },
    ])
  })

  it('accepts an answer that ends with the connection', async () => {
    const rawServer = await aRawServer('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it', true)
    expect(await post(`http://127.0.0.1:${rawServer.port}/`)).toMatchObject({
      statusCode: 200,
      error: null,
      response: 'all of it',
    })
    rawServer.close()
  })

  // security: receiver-1
  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const target = await aReceiver()
    const receiver = await aReceiver((response) =>
      response.writeHead(status, { Location: target.url }).end('over there'),
    )
    expect(await post(receiver.url)).toMatchObject({ statusCode: status, error: 'redirect' })
    expect(target.requests).toHaveLength(0)
  })

  it.each([400, 404, 410, 500, 503])('reports a %i as a failure', async (status) => {
    const receiver = await aReceiver((response) => response.writeHead(status).end('no'))
    expect(await post(receiver.url)).toMatchObject({
      statusCode: status,
      error: 'http_status',
      response: 'no',
    })
  })

  // security: receiver-3
  it('stops reading after 1 KiB and removes an incomplete character, NUL and control characters', async () => {
    const receiver = await aReceiver((response) => {
      // 1023 bytes, then a character of three bytes of which one fits, then endless data.
      response.write(`\u0000\u001b${'x'.repeat(1021)}€`)
      const timer = setInterval(() => response.write('y'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const sent = await post(receiver.url)
    expect(sent).toMatchObject({ statusCode: 200, error: null })
    expect(sent.response).toBe('x'.repeat(1021))
  })

  it.each([
    ['sends no headers', () => undefined],
    [
      'never ends its body',
      (response: { writeHead(s: number): { write(t: string): unknown } }) => {
        response.writeHead(200).write('so far')
      },
    ],
  ])('ends with a timeout when the receiver %s', async (_, answer) => {
    const receiver = await aReceiver(answer as never)
    const sent = await post(receiver.url, 150)
    expect(sent.error).toBe('timeout')
    expect(sent.latencyMs).toBeGreaterThanOrEqual(140)
    expect(sent.latencyMs).toBeLessThan(5_000)
  })

  it('ends with a timeout when the receiver does not finish its headers', async () => {
    const rawServer = await aRawServer('HTTP/1.1 200 OK\r\nX-Slow: ')
    expect(await post(`http://127.0.0.1:${rawServer.port}/`, 150)).toMatchObject({
      statusCode: null,
      error: 'timeout',
      response: null,
    })
    rawServer.close()
  })

  it('returns only the class of a connection error', async () => {
    const closed = await aRawServer('')
    closed.close()
    const rawServer = await aRawServer('SMTP 220 hello\r\n\r\n')
    const receiver = await aReceiver((response) => void response.socket?.destroy())
    const upgrading = await aRawServer(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    )
    const cutting = await aReceiver((response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half')
      setImmediate(() => response.socket?.destroy())
    })
    const errors = await Promise.all(
      [
        `http://127.0.0.1:${closed.port}/`,
        `http://127.0.0.1:${rawServer.port}/`,
        receiver.url,
        `http://127.0.0.1:${upgrading.port}/`,
        cutting.url,
        receiver.url.replace('http:', 'https:'),
      ].map(async (url) => (await post(url)).error),
    )
    rawServer.close()
    upgrading.close()
    expect(errors).toEqual(['refused', 'invalid_response', 'reset', 'reset', 'reset', 'tls'])
  })
})
