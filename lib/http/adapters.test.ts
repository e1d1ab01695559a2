import { createServer, type IncomingMessage, request as open } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { nodeListener } from './adapters'
import type { Answer, Call } from './call'
import { readJson } from './input'

const ok: Answer = { status: 200, headers: {}, body: 'ok' }

/** Starts a server that answers with the function, and opens a request to it. */
async function openRequest(answer: (call: Call) => Promise<Answer>, options: { method?: string } = {}) {
  const server = createServer(nodeListener(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const request = open({ host: '127.0.0.1', port, path: '/beak/x?a=1', agent: false, ...options })
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  return { request, response }
}

it('answers a client that is still sending a body that is too large', async () => {
  const { request, response } = await openRequest(
    (call) =>
      readJson(call).then(
        () => ok,
        (error) => ({ status: 413, headers: {}, body: error.failure }),
      ),
    { method: 'POST' },
  )
  // Chunked, so that only the bytes tell the size. The body does not end.
  request.setHeader('Content-Type', 'application/json')
  // Without this header the client itself would ask to close.
  request.setHeader('Connection', 'keep-alive')
  request.write(`{"a":"${'x'.repeat(70 * 1024)}`)
  const { statusCode, headers } = await response
  expect([statusCode, headers.connection]).toEqual([413, 'close'])
  expect(await text(await response)).toBe('body_too_large')
  request.destroy()
})

it('reads the body of a request', async () => {
  const { request, response } = await openRequest(
    async (call) => ({ ...ok, body: JSON.stringify(await readJson(call)) }),
    { method: 'POST' },
  )
  request.setHeader('Content-Type', 'application/json')
  request.end('{"a":1}')
  expect(await text(await response)).toBe('{"a":1}')
})

it('joins the values of a repeated credential, so that none of them counts', async () => {
  let seen: Call['headers'] = {}
  const { request, response } = await openRequest(async (call) => {
    seen = call.headers
    return ok
  })
  request.setHeader('Authorization', ['Bearer one', 'Bearer two'])
  request.end()
  await response
  expect(seen.authorization).toBe('Bearer one, Bearer two')
})

it('aborts the signal and cancels the stream when the client disconnects', async () => {
  let cancel = () => {}
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve
  })
  let signal = new AbortController().signal
  const { request, response } = await openRequest(async (call) => {
    signal = call.signal
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('first')),
      cancel,
    })
    return { status: 200, headers: {}, body }
  })
  request.end()
  await response
  request.on('error', () => undefined)
  request.destroy()
  await cancelled
  expect(signal.aborted).toBe(true)
})

it('does not abort the signal of a request that was answered completely', async () => {
  let signal = AbortSignal.abort()
  const { request, response } = await openRequest(async (call) => {
    signal = call.signal
    return ok
  })
  const closed = new Promise<void>((resolve) => void request.once('close', resolve))
  request.end()
  ;(await response).resume()
  await closed
  expect(signal.aborted).toBe(false)
})
