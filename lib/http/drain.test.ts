import { once } from 'node:events'
import { Agent, createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { drainable } from './drain'

/** Starts a server that answers when the test says so, and sends a request to it over a connection that is kept alive. */
async function aRequest(waitMs: number, headers: Record<string, string> = {}) {
  const server = createServer()
  const drain = drainable(server, waitMs)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const answer = new Promise<string>((resolve) => {
    const request = get({ host: '127.0.0.1', port, agent, headers }, async (response) => {
      resolve((await response.toArray().catch(() => ['cut'])).join(''))
    })
    request.on('error', () => resolve('cut'))
  })
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { drain, answer, response }
}

it('lets a request finish that has begun, and then closes its connection', async () => {
  const { drain, answer, response } = await aRequest(60_000)
  let isDrained = false
  const drained = drain().then(() => {
    isDrained = true
  })
  expect(isDrained).toBe(false)
  response.end('done')
  expect(await answer).toBe('done')
  await drained
})

it('ends an event stream at once', async () => {
  const { drain, answer, response } = await aRequest(60_000, { Accept: 'text/event-stream' })
  response.writeHead(200).write('first')
  await drain()
  expect(await answer).toBe('cut')
})

it('cuts a request that takes too long', async () => {
  const { drain, answer } = await aRequest(10)
  await drain()
  expect(await answer).toBe('cut')
})
