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

/** Returns the mark that Next gives to an error of the server, or an empty text. */
export function digestOf(error: unknown): string {
  return error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : ''
}

export const lostMessages: Record<Lost, string> = {
  not_sent: "Not sent. Beak can't be reached. Everything you entered is still here.",
  no_answer: "No answer came back, so we don't know whether this was sent. Retry: it counts only once.",
  refused: 'Not sent. The request was refused on its way. Everything you entered is still here.',
  busy: 'Your first attempt is still running. Wait a moment, then retry: it counts only once.',
  broken: 'Something went wrong on our side. Everything you entered is still here.',
  outdated: 'Not sent. Beak was updated while this page was open. Copy what you typed, then reload the page.',
}

const uncountedMessage =
  "No answer came back, so we don't know whether this was done. Check before you retry."

/** Returns what a form says after its action failed. `countsOnce`: a repetition of the action counts only once. */
export function lostMessage(error: unknown, countsOnce: boolean): string {
  const lost = lossOf(error)
  if (lost === 'broken') return `${lostMessages.broken} Reference: ${digestOf(error)}`
  if (lost === 'no_answer' && !countsOnce) return uncountedMessage
  return error instanceof Refused ? refusedMessage(error) : lostMessages[lost]
}

function refusedMessage({ status, retryAfter }: Refused): string {
  if (status === 413) return 'Not sent. This is too large. Shorten it, then retry.'
  if (status !== 429) return lostMessages.refused
  const wait = retryAfter === null ? 'a minute' : retryAfter === 1 ? '1 second' : `${retryAfter} seconds`
  return `Not sent. You sent too many requests. Wait ${wait}, then retry. Everything you entered is still here.`
}

/** Returns whether an error comes from the connection, as far as the error itself tells. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && ['NotSent', 'NoAnswer', 'ChunkLoadError'].includes(error.name)
}
