/** A receiver of webhooks that answers 200. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { atEnd } from '@/bench/cleanup'

let url: Promise<string> | null = null

async function start(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

/** Returns the address of the receiver, which starts with the first call. */
export function receiverUrl(): Promise<string> {
  url ??= start()
  return url
}
