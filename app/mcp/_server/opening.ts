/**
 * Opens the decision page at the client (elicitation in URL mode). A client of 2026-07-28 gets the address as a result and repeats the
 * call afterwards. A client of 2025-11-25 gets it as a request in the stream of the answer.
 */
import { type InputRequiredResult, inputRequired, type ServerContext } from '@modelcontextprotocol/server'

/** How the client opens addresses, or null when it does not. */
export type Opening = 'by-result' | 'by-request' | null

interface Page {
  message: string
  url: string
}

/** Returns a result that asks the client to open a page and to repeat the call with `state`. */
export function openByResult(page: Page, state: string): InputRequiredResult {
  return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(page) }, requestState: state })
}

/** Asks the client to open a page. Does not wait for the response, which can arrive at another instance. */
export function openByRequest(page: Page, elicitationId: string, { mcpReq }: ServerContext): void {
  const request = { method: 'elicitation/create', params: { mode: 'url', elicitationId, ...page } } as const
  mcpReq.send(request).catch(() => undefined)
}
