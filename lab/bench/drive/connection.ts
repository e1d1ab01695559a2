/**
 * A small HTTP/1.1 client: one kept-alive connection, one request at a time. It does as little as possible, because the client, the
 * server and PostgreSQL share the cores of the machine.
 */
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** Decoded only when somebody reads it. */
  text: () => string
}

type OnAnswer = (error: Error | null, answer: Answer | null) => void

export interface HttpRequest {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  /** An object is sent as JSON, a text as a form: other objects would not arrive in the process that makes the load. */
  body?: object | string
}

/** Returns the bytes of a request. */
export function encodeRequest(origin: string, request: HttpRequest): Buffer {
  const { method = 'GET', path, headers = {}, body } = request
  const isForm = typeof body === 'string'
  const content = body === undefined ? '' : isForm ? body : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${new URL(origin).host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push(`Content-Type: application/${isForm ? 'x-www-form-urlencoded' : 'json'}`)
  if (method === 'POST') lines.push(`Content-Length: ${Buffer.byteLength(content)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`)
}

const headEnd = Buffer.from('\r\n\r\n')

/** Returns where a chunked body ends, or -1 when it is not complete. */
function chunkedEnd(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return -1
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (at > bytes.length) return -1
    if (size === 0) return at
  }
}

function dechunk(bytes: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(size > 0)) return Buffer.concat(parts).toString()
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

/** Returns the first response in the bytes, or null when it is not complete. */
export function parseAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const start = end + 4
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) {
    const last = chunkedEnd(bytes, start)
    return last === -1 ? null : { status, text: () => dechunk(bytes.subarray(start, last)) }
  }
  const last = start + Number(length ?? 0)
  return bytes.length < last ? null : { status, text: () => bytes.toString('utf8', start, last) }
}

export class Connection {
  #socket: Socket | null = null
  #received: Buffer | null = null
  #onAnswer: OnAnswer | null = null
  readonly #url: URL

  constructor(origin: string) {
    this.#url = new URL(origin)
  }

  /** Sends a request. Calls `onAnswer` once, with the answer or with the error of the connection. */
  send(bytes: Buffer, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer
    this.#socket ??= this.#open()
    this.#socket.write(bytes)
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true })
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer within 20 s')))
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('error', (error) => this.#finish(error, null))
    socket.on('close', () => {
      this.#socket = null
      this.#received = null
      this.#finish(new Error('the connection was closed'), null)
    })
    return socket
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#received === null ? chunk : Buffer.concat([this.#received, chunk])
    const answer = parseAnswer(bytes)
    this.#received = answer === null ? bytes : null
    if (answer !== null) this.#finish(null, answer)
  }

  #finish(error: Error | null, answer: Answer | null): void {
    const onAnswer = this.#onAnswer
    this.#onAnswer = null
    onAnswer?.(error, answer)
  }
}

/** Sends requests one after the other and reads JSON. Throws on any status from 300 on. */
export class Client {
  readonly #connection: Connection

  constructor(readonly origin: string) {
    this.#connection = new Connection(origin)
  }

  /** Returns the answer as it is. */
  exchange(request: HttpRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#connection.send(encodeRequest(this.origin, request), (error, answer) =>
        answer === null ? reject(error) : resolve(answer),
      )
    })
  }

  async json<T>(request: HttpRequest): Promise<T> {
    const answer = await this.exchange(request)
    const text = answer.text()
    if (answer.status >= 300)
      throw new Error(`${request.method ?? 'GET'} ${request.path}: ${answer.status} ${text.slice(0, 300)}`)
    return JSON.parse(text) as T
  }

  post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
    return this.json<T>({ method: 'POST', path, body, headers })
  }

  close(): void {
    this.#connection.close()
  }
}
