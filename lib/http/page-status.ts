/**
 * The status of a page that has something to show and yet is not 200. Next sets one only by throwing, and what is thrown it
 * draws in the browser, so that nobody without scripts would see it. Our server lays the answer at hand while Next draws;
 * nothing is on its way then.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

const shared = globalThis as { beakPageAnswers?: AsyncLocalStorage<ServerResponse> }
// The pages are a bundle of their own: both share the process, not the modules.
shared.beakPageAnswers ??= new AsyncLocalStorage()
const answers = shared.beakPageAnswers

/** Draws a page with its answer at hand. */
export function drawing<T>(response: ServerResponse, draw: () => T): T {
  return answers.run(response, draw)
}

/**
 * Gives the page that is being drawn this status, and tells the browser after how many seconds it may ask again. Says whether
 * it could: not under a bare `next start`, and not once the head of the answer has left.
 */
export function answerWith(status: number, retryAfter?: number): boolean {
  const response = answers.getStore()
  if (!response || response.headersSent) return false
  response.statusCode = status
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
  return true
}
