/** Translates between `node:http` requests and responses and calls and answers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer, Call } from './call'

/** Milliseconds until the connection is closed when the client is still sending its body after the answer. */
const lingerMs = 500

/** Returns a listener for `createServer`. `answer` must not throw. */
export function nodeListener(answer: (call: Call) => Promise<Answer>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await send(await answer(callOf(request, response)), request, response)
  }
}

function callOf(request: IncomingMessage, response: ServerResponse): Call {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  let controller: AbortController | null = null
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: headersOf(request),
    body: () => request,
    peer: request.socket.remoteAddress ?? null,
    get signal() {
      if (controller === null) {
        const created = new AbortController()
        controller = created
        if (response.destroyed) created.abort()
        response.once('close', () => created.abort())
      }
      return controller.signal
    },
  }
}

/** Node keeps only the first of some repeated headers. Joining all of them makes a repeated credential invalid instead. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}

async function send(
  { status, headers, body }: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const hasUnreadBody = !request.complete
  const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : null
  response.writeHead(status, {
    ...headers,
    ...(length === null ? {} : { 'Content-Length': String(length) }),
    ...(hasUnreadBody ? { Connection: 'close' } : {}),
  })
  if (body instanceof ReadableStream) {
    // The pipeline fails when the client disconnects, and cancels the stream.
    await pipeline(Readable.fromWeb(body as never), response).catch(() => undefined)
    return
  }
  response.end(body ?? undefined)
  if (hasUnreadBody) discardRest(request)
}

/** Reads and discards the rest of the body. Closing immediately would reset the connection before the client reads the answer. */
function discardRest(request: IncomingMessage): void {
  request.resume()
  const timer = setTimeout(() => request.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
  request.on('error', () => undefined)
}
