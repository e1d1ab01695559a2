import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A webhook as it arrives: the exact bytes, and the headers of Standard Webhooks. */
export interface Message {
  body: string
  headers: Record<string, string>
}

/** Starts a server on a free port of this computer. `handle` returns the status of the answer. */
export async function startReceiver(
  handle: (message: Message) => Promise<number>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    try {
      response.statusCode = await handle({ body: await text(request), headers: webhookHeaders(request) })
    } catch {
      response.statusCode = 500
    }
    response.end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const webhookHeaders = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[0].startsWith('webhook-') && typeof entry[1] === 'string',
    ),
  )
