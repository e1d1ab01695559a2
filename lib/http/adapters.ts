/** Translates between the web's `Request` and `Response` (Next's route handlers, tests) and calls and answers. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as afterCallbacks } from 'node:timers/promises'
import { verifiedPeer } from './address'
import type { Answer, Call } from './call'

/** Returns the call of a request. `peer` is the address of the socket, by default the one in the header that our own server adds. */
export function callOf(request: Request, peer?: string): Call {
  const url = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: () => chunksOf(request.body),
    peer: peer ?? verifiedPeer(headers)?.address ?? null,
    signal: request.signal,
  }
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body as BodyInit | null, { status, headers })
}

export async function answerRequest(
  request: Request,
  answer: (call: Call) => Promise<Answer>,
  peer?: string,
): Promise<Response> {
  return responseOf(await answer(callOf(request, peer)))
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Translates between `node:http` requests and responses and calls and answers. */

/** Milliseconds until the connection is closed when the client is still sending its body after the answer. */
const lingerMs = 500

/** The query of every request without one. Nothing changes it. */
const noQuery = new URLSearchParams()

/** Returns a listener for `createServer`. `answer` must not throw. */
export function nodeListener(answer: (call: Call) => Promise<Answer>) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answered = await answer(new NodeCall(request, response))
    await endOfTurn()
    send(answered, request, response)
  }
}

let turn: Promise<void> | null = null

/**
 * Resolves when the callbacks of all requests that have arrived have run, so that their answers leave one after the other. An answer that is sent
 * alone can wake a sleeping client before the next request is answered. On two processors the wake-up took longer than answering `GET /beak/`.
 */
function endOfTurn(): Promise<void> {
  turn ??= afterCallbacks().then(() => {
    turn = null
  })
  return turn
}

class NodeCall implements Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Call['headers']
  readonly body: Call['body']
  readonly peer: string | null
  readonly #response: ServerResponse
  #controller: AbortController | null = null

  constructor(request: IncomingMessage, response: ServerResponse) {
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    this.method = request.method ?? 'GET'
    this.path = mark < 0 ? target : target.slice(0, mark)
    this.query = mark < 0 ? noQuery : new URLSearchParams(target.slice(mark + 1))
    this.headers = headersOf(request)
    this.body = () => (request.complete ? arrived(request) : request)
    this.peer = request.socket.remoteAddress ?? null
    this.#response = response
  }

  get signal(): AbortSignal {
    this.#controller ??= abortOnDisconnect(this.#response)
    return this.#controller.signal
  }
}

/** Returns a body that is here as a whole, as small ones are. Reading it as a stream would take longer than what the call does. */
function arrived(request: IncomingMessage): Uint8Array[] {
  const bytes: Buffer | null = request.read()
  return bytes === null ? [] : [bytes]
}

function abortOnDisconnect(response: ServerResponse): AbortController {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    // Nobody waits for the signal after the whole answer, and aborting makes an error with a stack.
    if (!response.writableFinished) controller.abort()
  })
  return controller
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

function send({ status, headers, body }: Answer, request: IncomingMessage, response: ServerResponse): void {
  const hasUnreadBody = !request.complete
  // Names and values in turn, the form that Node writes without a copy.
  const fields: string[] = []
  for (const name in headers) fields.push(name, headers[name] ?? '')
  let encoding: BufferEncoding = 'utf8'
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const length = Buffer.byteLength(body)
    fields.push('Content-Length', String(length))
    // As many bytes as letters: ASCII. Node copies it as Latin-1 in a sixth of the time that it takes to encode it.
    if (length === body.length) encoding = 'latin1'
  }
  if (hasUnreadBody) fields.push('Connection', 'close')
  response.writeHead(status, fields)
  if (body instanceof ReadableStream) {
    // The pipeline fails when the client disconnects, and cancels the stream.
    void pipeline(Readable.fromWeb(body as never), response).catch(() => undefined)
    return
  }
  // Node joins the head and a text, so both leave in one write.
  response.end(body ?? undefined, encoding)
  if (hasUnreadBody) discardRest(request)
}

/** Reads and discards the rest of the body. Closing immediately would reset the connection before the client reads the answer. */
function discardRest(request: IncomingMessage): void {
  request.resume()
  const timer = setTimeout(() => request.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
  request.on('error', () => undefined)
}
