/** Sends one request and reads its answer. */
import type { Fetch } from '@beak/proofs/fetch-text'
import { BeakAnswerError, BeakConnectionError, BeakError } from '../errors'
import type { Problem } from '../generated/schemas'
import { version } from '../version'
import type { PlainRequest } from './request'

/** Browsers name themselves, and ask the service before they send a header of ours. */
const isNode = typeof globalThis.process?.versions?.node === 'string'

/**
 * Sends a request and returns the answer, whose body is not read yet.
 *
 * @throws BeakConnectionError without an answer; the reason of the signal when it aborted
 */
export async function send(fetch: Fetch, request: PlainRequest, signal: AbortSignal): Promise<Response> {
  const { url, method, body } = request
  const headers = isNode ? { 'User-Agent': `beak-client/${version}`, ...request.headers } : request.headers
  try {
    return await fetch(url, {
      method,
      headers,
      body,
      signal,
      // The API never redirects. A redirect of somebody else would carry the beak key to another host.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
    })
  } catch (error) {
    throw broken(error, signal)
  }
}

/** Returns the error for a connection that failed. */
export function broken(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return new BeakConnectionError('The connection to the service failed.', { cause })
}

/**
 * Reads the body of an answer as JSON, text or bytes.
 *
 * @throws BeakError for a refusal, BeakConnectionError when the answer breaks off, BeakAnswerError when it is not Beak's
 */
export async function readAnswer(
  response: Response,
  form: 'json' | 'text' | 'bytes',
  signal: AbortSignal,
): Promise<unknown> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw broken(error, signal)
  }
  if (!response.ok) throw refusal(response, bytes)
  if (form === 'bytes') return bytes
  if (form === 'text') return new TextDecoder().decode(bytes)
  const value = parseObject(response, bytes)
  if (value === null) throw foreign(response, 'an answer that is not JSON')
  return value
}

/** Returns the error for an answer with an error status. */
function refusal(response: Response, bytes: Uint8Array): BeakError | BeakAnswerError {
  const problem = parseObject(response, bytes)
  if (problem === null || !isProblem(problem)) return foreign(response, 'an error that is not from Beak')
  return new BeakError(
    { ...problem, status: response.status },
    secondsOf(response) ?? problem.retry_after ?? null,
  )
}

function foreign(response: Response, what: string): BeakAnswerError {
  const text = `${response.url || 'The address'} returned ${what} (status ${response.status}).`
  return new BeakAnswerError(text, response.status, secondsOf(response))
}

/** Returns the JSON object of a body, or null for anything else. */
function parseObject(response: Response, bytes: Uint8Array): object | null {
  if (!/^application\/(\w+\+)?json\b/.test(response.headers.get('Content-Type') ?? '')) return null
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const isProblem = (value: object): value is Problem =>
  'code' in value && typeof value.code === 'string' && 'detail' in value && typeof value.detail === 'string'

/** Returns the seconds of `Retry-After`, or null. Beak sends whole seconds; a proxy may send a date. */
function secondsOf(response: Response): number | null {
  const text = response.headers.get('Retry-After') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
