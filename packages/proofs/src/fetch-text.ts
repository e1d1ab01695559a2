import { readLimited } from './read-limited'

/** The part of `fetch` that clients and verifiers use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Fetches small public documents of the service: its key set and its status lists. */

export interface Limits {
  bytesMax: number
  timeoutMs: number
}

/**
 * Returns the text of a document. Follows no redirect and sends no cookie. Throws an `Error` whose message people can read when the answer
 * is not 200, too large, too slow or not UTF-8.
 */
export async function fetchText(url: string, fetch: Fetch, { bytesMax, timeoutMs }: Limits): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, {
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    signal,
  }).catch((error: unknown) => {
    throw new Error(`${url} cannot be read: ${reasonOf(error)}`)
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answered ${response.status}`)
  }
  return readText(response, url, bytesMax)
}

async function readText(response: Response, url: string, bytesMax: number): Promise<string> {
  try {
    const bytes = await readLimited(response.body, bytesMax)
    if (bytes === null) throw new Error(`more than ${bytesMax} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Error(`${url} cannot be read: ${reasonOf(error)}`)
  }
}

/** The cause of a failed `fetch` of Node says more than its message, which is always "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
