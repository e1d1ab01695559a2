/**
 * Sets the status of a page with content, such as 404 with an explanation. Next sets a status only when the page throws, and then
 * renders the content in the browser, so a browser without JavaScript would show nothing. Instead, our server makes its
 * response available to the page while Next renders. Nothing has been sent at that time.
 */
import type { ServerResponse } from 'node:http'
import { AsyncLocalStorage } from '@/lib/kernel/async-storage'

const shared = globalThis as { beakPageAnswers?: AsyncLocalStorage<ServerResponse> }
// Next bundles the pages separately, so the server and the pages share no modules, only the process.
shared.beakPageAnswers ??= new AsyncLocalStorage()
const responses = shared.beakPageAnswers

const refused = new WeakSet<ServerResponse>()

/** The server action that Next is answering, or null. */
export function currentAction(): { refuseBody(status: number): boolean } | null {
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
