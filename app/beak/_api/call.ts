/** Calls the API in process the way a client does over HTTP: for tests. */
import { randomAddress } from '@/lib/fixtures/ducklings'
import { answerRequest } from '@/lib/http/web-adapter'
import { makeChecker } from './documented'
import { serve } from './serve'
import { table } from './table'

const answer = serve(table)
let checker: ReturnType<typeof makeChecker> | null = null

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they are about
  body: any
  headers: Headers
}

export interface CallOptions {
  body?: unknown
  /** Sent as they are, instead of `body` as JSON. */
  raw?: string | Uint8Array<ArrayBuffer>
  token?: string
  key?: string
  headers?: Record<string, string>
  /** The socket's address. Default: one nobody else has. */
  from?: string
}

/** `call('POST /beak/signup', { body })`. The answer must be JSON, as everything under `/beak` is. */
export async function call(line: string, options: CallOptions = {}): Promise<Answer> {
  const response = await callRaw(line, options)
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (body !== null) expectDocumented(line, response, body)
  return { status: response.status, body, headers: response.headers }
}

/** Every answer must be what the reference says. */
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
      `${line} answered ${response.status} against its reference: ${fault}\n${JSON.stringify(body)}`,
    )
}

/** The same with the bare response: for streams and other media types. */
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
    ...(payload === undefined ? {} : { body: payload }),
  })
  return answerRequest(request, answer, options.from ?? randomAddress())
}
