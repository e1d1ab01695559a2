/** Calls the API in this process with web requests. Only for tests. */
import { randomAddress } from '@/lib/factories/ducklings'
import { answerRequest } from '@/lib/http/adapters'
import { makeChecker } from './documented'
import { serve } from './serve'
import { table } from './table'

const answer = serve(table)
let checker: ReturnType<typeof makeChecker> | null = null

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer
  body: any
  headers: Headers
}

export interface CallOptions {
  body?: unknown
  /** The bytes to send instead of `body` as JSON, or a stream of them. */
  raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>
  token?: string
  key?: string
  headers?: Record<string, string>
  /** The address of the socket. Default: a random address. */
  from?: string
}

/** Calls an endpoint, for example `call('POST /beak/signup', { body })`. Throws when the answer is not JSON or not documented. */
export async function call(line: string, options: CallOptions = {}): Promise<Answer> {
  const response = await callRaw(line, options)
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (body !== null) expectDocumented(line, response, body)
  return { status: response.status, body, headers: response.headers }
}

/** Throws when an answer does not match the API reference. */
function expectDocumented(line: string, response: Response, body: unknown): void {
  checker ??= makeChecker(table)
  const [method = 'GET', path = '/'] = line.split(' ')
  const mediaType = response.headers.get('content-type') ?? ''
  if (
    response.status === 405 ||
    (response.status === 404 && !Object.hasOwn(table, path.split('?')[0]?.replace(/\/$/, '') ?? ''))
  )
    return
  const fault = checker(method, path.split('?')[0] ?? '', response.status, mediaType, body)
  if (fault)
    throw new Error(
      `${line} answered ${response.status}, which does not match the API reference: ${fault}\n${JSON.stringify(body)}`,
    )
}

/** Calls an endpoint and returns the `Response`, for streams and other media types. */
export function callRaw(line: string, options: CallOptions = {}): Promise<Response> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const headers = new Headers(options.headers)
  if (options.token) headers.set('Authorization', `Bearer ${options.token}`)
  if (options.key) headers.set('X-Beak-Key', options.key)
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  if (payload !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
  const request = new Request(`http://localhost:3000${path}`, {
    method,
    headers,
    ...(payload === undefined ? {} : { body: payload, duplex: 'half' }),
  })
  return answerRequest(request, answer, options.from ?? randomAddress())
}
