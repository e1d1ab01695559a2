import { m } from '@/lib/kernel/messages'
/** How a server action fails in the browser, and what a form says then. */

/** The service did not get the request. */
export class NotSent extends Error {
  override name = 'NotSent'
}

/** The request went out, but no whole answer came back. The service may have carried it out. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** The service, or a proxy before it, refused the request without carrying it out. `retryAfter`: seconds, or null. */
export class Refused extends Error {
  override name = 'Refused'
  constructor(
    readonly status: number,
    readonly retryAfter: number | null,
  ) {
    super(`refused with ${status}`)
  }
}

/**
 * Why an action has no answer. `refused`: it was not carried out. `busy`: an earlier attempt is still running. `broken`: the service failed.
 * `outdated`: the page is older than the service.
 */
export type Lost = 'not_sent' | 'no_answer' | 'refused' | 'busy' | 'broken' | 'outdated'

/** Returns why a server action failed. */
export function lossOf(error: unknown): Lost {
  if (error instanceof NotSent) return 'not_sent'
  if (error instanceof Refused) return 'refused'
  if (error instanceof Error && error.name === 'UnrecognizedActionError') return 'outdated'
  return digestOf(error) === '' ? 'no_answer' : 'broken'
}

/** Returns whether the service did not carry out a change that failed. */
export const isUnsent = (error: unknown): boolean => error instanceof NotSent || error instanceof Refused

/** Returns the mark that Next gives to an error of the server, or an empty text. */
export function digestOf(error: unknown): string {
  return error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : ''
}

export const lostMessages: Record<Lost, string> = {
  get not_sent() {
    return m.common_submit_unreachable()
  },
  get no_answer() {
    return m.common_submit_no_answer()
  },
  get refused() {
    return m.common_submit_blocked()
  },
  get busy() {
    return m.common_submit_still_running()
  },
  get broken() {
    return m.common_submit_server_error()
  },
  get outdated() {
    return m.common_submit_outdated_page()
  },
}

const uncountedMessage = m.common_no_answer_check_before_you_retry

/** Returns what a form says after its action failed. `countsOnce`: a repetition of the action counts only once. */
export function lostMessage(error: unknown, countsOnce: boolean): string {
  const lost = lossOf(error)
  if (lost === 'broken')
    return m.common_broken_reference_error({ broken: lostMessages.broken, error: digestOf(error) })
  if (lost === 'no_answer' && !countsOnce) return uncountedMessage()
  return error instanceof Refused ? refusedMessage(error) : lostMessages[lost]
}

function refusedMessage({ status, retryAfter }: Refused): string {
  if (status === 413) return m.common_submit_too_large()
  if (status !== 429) return lostMessages.refused
  const wait = retryAfter === null ? m.common_a_minute() : m.common_seconds({ count: retryAfter })
  return m.common_submit_rate_limited({ wait })
}

/** Returns whether an error comes from the connection, as far as the error itself tells. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && ['NotSent', 'NoAnswer', 'ChunkLoadError'].includes(error.name)
}
