/**
 * Sets the status of a page with content, such as 404 with an explanation. Next sets a status only when the page throws, and then
 * renders the content in the browser, so a browser without JavaScript would show nothing. Instead, our server makes its
 * response available to the page while Next renders. Nothing has been sent at that time.
 */

import type { ServerResponse } from 'node:http'
import { AsyncLocalStorage } from '@/lib/kernel/runtime/async-storage'
import { describeError, log } from '@/lib/kernel/runtime/log'

const shared = globalThis as { beakPageAnswers?: AsyncLocalStorage<ServerResponse> }
// Next bundles the pages separately, so the server and the pages share no modules, only the process.
shared.beakPageAnswers ??= new AsyncLocalStorage()
const responses = shared.beakPageAnswers

const refused = new WeakSet<ServerResponse>()

/** The server action that Next is answering, or null. */
function currentAction(): { refuseBody(status: number): boolean } | null {
  const response = responses.getStore()
  if (response === undefined || response.req.method !== 'POST') return null
  const { headers } = response.req
  const isForm = /^multipart\/form-data/i.test(headers['content-type'] ?? '')
  if (headers['next-action'] === undefined && !isForm) return null
  return { refuseBody: (status) => refuseBody(response, status) }
}

/** Replaces the 500 that Next sets, before or after this, by `status`. Returns false when that was done before. */
function refuseBody(response: ServerResponse, status: number): boolean {
  if (refused.has(response)) return false
  refused.add(response)
  if (response.headersSent) return true
  let current = response.statusCode
  Object.defineProperty(response, 'statusCode', {
    get: () => (current >= 500 ? status : current),
    set: (value: number) => {
      current = value
    },
  })
  return true
}

/** Runs `render`. `answerWith` then sets the status of `response`. */
export function renderWithResponse<T>(response: ServerResponse, render: () => T): T {
  return responses.run(response, render)
}

/**
 * Sets the status of the page that is being rendered, and `Retry-After` in seconds. Returns false when that is not possible: under
 * a bare `next start`, or when the headers have been sent.
 */
export function answerWith(status: number, retryAfter?: number): boolean {
  const response = responses.getStore()
  if (!response || response.headersSent) return false
  response.statusCode = status
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
  return true
}

/**
 * What Next prints about a request becomes one line of the log. A server action whose body cannot be read is answered with 400 and not with
 * 500. Errors after the arguments of a form were checked are ours, and stay errors.
 */

/** Marks an error as one of this service. A global symbol, because Next bundles the pages separately. */
const ownFault = Symbol.for('beak.own-fault')

/** Says that an error does not come from the body of the request. Returns the error. */
export function asOwnFault(error: unknown): unknown {
  if (isError(error)) Object.defineProperty(error, ownFault, { value: true })
  return error
}

/** Sends what Next writes to the console to the log. For the built server. */
export function logConsole(): void {
  console.error = (...parts: unknown[]) => logParts('error', parts)
  console.warn = (...parts: unknown[]) => logParts('warn', parts)
}

function logParts(level: 'error' | 'warn', parts: unknown[]): void {
  const error = parts.find(isError)
  const action = error !== undefined && isBodyFault(error) ? currentAction() : null
  if (error !== undefined && action !== null) {
    // Next prints the errors of forms without scripts twice.
    if (action.refuseBody(statusOf(error)))
      log().warn({ error: error.message, stack: error.stack }, 'a server action got a malformed body')
    return
  }
  const text = parts.filter((part) => typeof part === 'string').join(' ')
  log()[level](error === undefined ? {} : { error: describeError(error) }, text)
}

/** Errors of other realms are no instances of our `Error`. */
const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]'

/**
 * Whether an error of a server action comes from its body: code of Next threw it, which also stands in chunks of the build, or the arguments
 * have another type.
 */
function isBodyFault(error: Error): boolean {
  if (ownFault in error) return false
  const [, firstFrame = ''] = /\n\s+at (.*)/.exec(error.stack ?? '') ?? []
  return ['SyntaxError', 'TypeError'].includes(error.name) || /[\\/_]next[\\/_]dist[\\/_]/.test(firstFrame)
}

/** Next gives a body that is too large the status 413. */
function statusOf(error: Error): number {
  const { statusCode } = error as { statusCode?: unknown }
  return statusCode === 413 ? 413 : 400
}
