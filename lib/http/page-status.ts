/**
 * Sets the status of a page with content, such as 404 with an explanation. Next sets a status only when the page throws, and then
 * renders the content in the browser, so a browser without JavaScript would show nothing. Instead, our server makes its
 * response available to the page while Next renders. Nothing has been sent at that time.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

const shared = globalThis as { beakPageAnswers?: AsyncLocalStorage<ServerResponse> }
// Next bundles the pages separately, so the server and the pages share no modules, only the process.
shared.beakPageAnswers ??= new AsyncLocalStorage()
const responses = shared.beakPageAnswers

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
