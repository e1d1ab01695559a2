import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** Addresses of one machine that the service takes for different hosts. */
export const fastHosts = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
/** The push service at this one never answers. */
export const slowHost = '127.0.0.9'

/**
 * A process with the push services of the benchmark, each on an address of its own. They answer after some milliseconds, or never, and say
 * that a subscription is gone when its path says so. `start-push-services.ts` starts it.
 */

/** When each message arrived, in milliseconds since 1970, by its topic, which tells the request. */
export type Arrivals = Record<string, number>

let arrivals: Arrivals = {}
let unanswered = 0

async function answer(request: IncomingMessage, response: ServerResponse, isSlow: boolean): Promise<void> {
  request.resume()
  if (isSlow) {
    unanswered++
    return
  }
  const isGone = request.url?.startsWith('/gone') === true
  arrivals[String(request.headers.topic)] = performance.timeOrigin + performance.now()
  await wait(20 + Math.random() * 60)
  response.writeHead(isGone ? 410 : 201).end()
}

const servers = [...fastHosts, slowHost].map((host) => ({
  host,
  server: createServer((request, response) => void answer(request, response, host === slowHost)),
}))
const [first, ...others] = servers
first?.server.listen(0, first.host, () => {
  const { port } = first.server.address() as AddressInfo
  for (const { host, server } of others) server.listen(port, host)
  process.send?.({ port })
})

/** Answers with what has arrived since the last question. */
process.on('message', () => {
  process.send?.({ arrivals, unanswered })
  arrivals = {}
  unanswered = 0
})
process.on('disconnect', () => process.exit(0))
