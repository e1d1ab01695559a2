/**
 * Sends one HTTP request to a receiver, or reads a document. Uses `node:https`, because `fetch` ignores the filtering agent. Never rejects: the result
 * has only what the owner may see, which is the status, the latency, 1 KiB of the body as text and the class of the error. The
 * receiver's headers and the error texts of our network are not returned.
 */
import http from 'node:http'
import https from 'node:https'
import { RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { allowsPrivate, developmentLookup, findUrlFault, guardedLookup, type PrivateHosts } from './guard'

/** For connection, headers and body together. */
export const sendTimeoutMs = 15_000
const responseBytesMax = 1024

export const sendErrors = [
  'timeout',
  'refused',
  'unreachable',
  'reset',
  'name_not_found',
  'blocked_address',
  'tls',
  'redirect',
  'http_status',
  'invalid_response',
  'network',
] as const
type SendError = (typeof sendErrors)[number]

export interface Sent {
  /** Null when there was no answer. */
  statusCode: number | null
  latencyMs: number
  /** Null means a 2xx answer. */
  error: SendError | null
  /** The first 1 KiB of the body. */
  response: string | null
}

interface Answer {
  statusCode: number | null
  contentType: string
  chunks: Buffer[]
}

const noAnswer = (): Answer => ({ statusCode: null, contentType: '', chunks: [] })

interface SendOptions {
  method?: 'POST' | 'PUT'
  privateHosts?: PrivateHosts
}

/** Posts a body and returns the result. `timeoutMs` limits the whole request. */
export async function send(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer,
  timeoutMs: number,
  { method = 'POST', privateHosts = new Set() }: SendOptions = {},
): Promise<Sent> {
  const started = performance.now()
  const answer = noAnswer()
  const failure =
    findUrlFault(url, privateHosts) === null
      ? await transmit(
          new URL(url),
          { method, headers, ...connectionOptions(new URL(url), privateHosts) },
          body,
          { timeoutMs, bytesMax: responseBytesMax },
          answer,
        )
      : 'blocked_address'
  const { statusCode } = answer
  return {
    statusCode,
    latencyMs: Math.round(performance.now() - started),
    error: failure ?? statusError(statusCode),
    response: statusCode === null ? null : readable(Buffer.concat(answer.chunks)),
  }
}

/** What a document in JSON calls itself. */
const jsonType = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i

/** Reads a JSON document of fewer than `bytesMax` bytes, as `fetch` does. Rejects when there is none, or the address must not be called. */
export async function fetchJson(url: string, bounds: Bounds): Promise<Response> {
  if (findUrlFault(url) !== null) throw new Error('this address must not be called')
  const [target, answer] = [new URL(url), noAnswer()]
  const options = { headers: { Accept: 'application/json' }, ...connectionOptions(target, new Set()) }
  const failure = await transmit(target, options, '', bounds, answer)
  const body = Buffer.concat(answer.chunks)
  const isDocument = answer.statusCode === 200 && jsonType.test(answer.contentType)
  if (failure !== null || !isDocument || body.byteLength >= bounds.bytesMax)
    throw new Error('there is no such document')
  return new Response(body)
}

interface Bounds {
  timeoutMs: number
  /** The connection ends when so much of the body has arrived. */
  bytesMax: number
}

/** Writes what arrives to `answer`. Resolves with the error of the connection, or null. */
function transmit(
  url: URL,
  options: https.RequestOptions,
  body: string | Buffer,
  { timeoutMs, bytesMax }: Bounds,
  answer: Answer,
): Promise<SendError | null> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options)
    const finish = (failure: SendError | null) => {
      clearTimeout(timer)
      resolve(failure)
      request.destroy()
    }
    const timer = setTimeout(() => finish('timeout'), timeoutMs)
    request.on('error', (error) => finish(errorClass(error)))
    // When the answer switches protocols, the connection closes without an error.
    request.on('close', () => answer.statusCode === null && finish('reset'))
    request.on('response', (response) => {
      answer.statusCode = response.statusCode ?? null
      answer.contentType = response.headers['content-type'] ?? ''
      let size = 0
      response.on('data', (chunk: Buffer) => {
        answer.chunks.push(chunk)
        size += chunk.byteLength
        if (size >= bytesMax) finish(null)
      })
      response.on('end', () => finish(null))
      response.on('error', (error) => finish(errorClass(error)))
      response.on('close', () => finish('reset'))
    })
    request.end(body)
  })
}

/** Checks the addresses in our own lookup. The agent checks them a second time. */
function connectionOptions(url: URL, privateHosts: PrivateHosts): https.RequestOptions {
  if (allowsPrivate(url, privateHosts)) return { agent: false, lookup: developmentLookup }
  return {
    agent: singleton('webhooks.agent', () => new RequestFilteringHttpsAgent()),
    lookup: guardedLookup,
  }
}

function statusError(statusCode: number | null): SendError | null {
  if (statusCode === null) return 'invalid_response'
  if (statusCode >= 200 && statusCode < 300) return null
  return statusCode >= 300 && statusCode < 400 ? 'redirect' : 'http_status'
}

const classes: Record<string, SendError> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  EBLOCKED: 'blocked_address',
  EPROTO: 'tls',
}

/** Returns the class of an error, by the codes of Node, OpenSSL (`CERT_…`, `UNABLE_TO_…`) and the HTTP parser (`HPE_…`). */
function errorClass(error: Error & { code?: string; errors?: Error[] }): SendError {
  // Node tried several addresses of the name and reports an error for each.
  const [inner] = error.errors ?? []
  const code = error.code ?? (inner as { code?: string } | undefined)?.code ?? ''
  const known = classes[code]
  if (known !== undefined) return known
  if (/^ERR_(TLS|SSL)|CERT|^UNABLE_TO_|HOSTNAME/.test(code)) return 'tls'
  if (code.startsWith('HPE_')) return 'invalid_response'
  // The filtering agent sets no code, only this text.
  return error.message.includes('is not allowed. Because') ? 'blocked_address' : 'network'
}

/** Returns the first 1 KiB as text without NUL, other control characters and an incomplete last character. */
function readable(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes.subarray(0, responseBytesMax), { stream: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
}
