/**
 * Stands between Next's router and the network. Without it, a page that cannot be loaded becomes a hard navigation, which ends on an error
 * page of the browser, and a server action that gets no answer replaces the page with an error page. What was typed is lost both times.
 * The router calls `window.fetch` for both, so this is the one place that sees all of them.
 */
import { withoutBasePath } from '@/components/base-path'
import { submissionField } from '@/components/ui/form-state'
import { isUnsent, NoAnswer, NotSent, Refused } from './failures'
import { openPageHeader, recordChange } from './last-change'
import { setPendingPage } from './pending-page'
import { isProxyStatus, isReached, probe, reportAnswer, whenReached } from './reach'

type Fetch = typeof window.fetch
type FetchArguments = Parameters<Fetch>

/** The headers by which the router marks its requests (next/dist/client/components/app-router-headers). */
const marks = {
  action: 'next-action',
  page: 'rsc',
  prefetch: ['next-router-prefetch', 'next-router-segment-prefetch'],
  redirect: 'x-action-redirect',
  unknownAction: 'x-nextjs-action-not-found',
}
const payloadType = 'text/x-component'
/** Next adds this to the address of a page that it loads. */
const unionQuery = '_rsc'
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** Counts the navigations. Only the latest one may tell that its page could not be opened. */
let navigations = 0
let refreshedAt = Number.NEGATIVE_INFINITY

/** Guards the requests of the router from now on. Other requests pass. */
export function guardRouterFetch(): void {
  const send: Fetch = window.fetch.bind(window)
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    const isAction = headers.has(marks.action)
    const isPage = headers.has(marks.page) && !marks.prefetch.some((name) => headers.has(name))
    if (!isAction && !isPage) return send(input, init)
    headers.set(openPageHeader, '1')
    const request: FetchArguments = [input, { ...init, headers }]
    if (!isAction) return loadPage(send, request)
    const sending = sendAction(send, request)
    recordChange(init?.body, sending, (error) => (isUnsent(error) ? 'not_sent' : 'no_answer'))
    return sending
  }
}

/**
 * Returns the milliseconds since the shown page was last refreshed. After an update of Beak, Next answers a refresh by loading the document
 * again.
 */
export const refreshAge = (): number => performance.now() - refreshedAt

/** Sends a server action. Throws `NotSent`, `NoAnswer` or `Refused`. */
async function sendAction(send: Fetch, [input, init = {}]: FetchArguments): Promise<Response> {
  if (!(await isReached())) throw new NotSent()
  let answer: Response
  try {
    answer = await whole(await send(input, withSubmissionKey(init)))
  } catch {
    void probe()
    throw new NoAnswer()
  }
  const isUnderstood =
    isPayload(answer) || answer.headers.has(marks.redirect) || answer.headers.has(marks.unknownAction)
  // A proxy, or an error page. What it says about the service is only known from the service.
  if (!isUnderstood && answer.status >= 500) {
    void probe()
    throw new NoAnswer()
  }
  reportAnswer()
  if (!isUnderstood && answer.status >= 400) throw new Refused(answer.status, retryAfterOf(answer))
  return answer
}

/** Loads a page. A page that cannot be loaded becomes the pending page. A refresh of the shown page waits instead. */
async function loadPage(send: Fetch, [input, init]: FetchArguments): Promise<Response> {
  const target = targetOf(input)
  const from = shownPath()
  const navigation = target === from ? navigations : ++navigations
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    const isShown = target === shownPath()
    const found = await tryPage(send, [input, init], isShown)
    if (found instanceof Response) {
      if (isShown) refreshedAt = performance.now()
      return found
    }
    if (target !== shownPath()) {
      // The person may have gone elsewhere meanwhile: then nothing is said about this page.
      if (navigation === navigations && from === shownPath() && from !== target) release(target)
      // The router treats every failure as a reason for a hard navigation. This one never ends, and was given up above.
      return new Promise(() => undefined)
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(pause, found.waitMs)))
    await whenReached()
  }
}

/** Returns the answer of the service, or how long to wait when there is none that a page can be made of. */
async function tryPage(
  send: Fetch,
  [input, init]: FetchArguments,
  isShown: boolean,
): Promise<Response | { waitMs: number }> {
  try {
    const answer = await whole(await send(input, init))
    const isProxy = isProxyStatus(answer.status) && !isPayload(answer)
    // The router would replace the page by the bare text of a refusal.
    const isRefused = answer.status === 429 && !isPayload(answer)
    // A page that is shown is worth more than the news that it cannot be read now.
    const isWorse = isShown && (answer.status >= 500 || answer.status === 429)
    if (!isProxy) reportAnswer()
    if (!isProxy && !isRefused && !isWorse) return answer
    if (isProxy) await probe()
    return { waitMs: Math.min(longestPauseMs, (retryAfterOf(answer) ?? 0) * 1000) }
  } catch (error) {
    if (init?.signal?.aborted) throw error
  }
  await probe()
  return { waitMs: 0 }
}

/** Returns the seconds of `Retry-After`, or null. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

/** Ends the navigation that the router has begun: the address stays, and the next action does not wait for it. */
function release(target: string): void {
  setPendingPage(withoutBasePath(target))
  setTimeout(() => window.history.replaceState(null, '', window.location.href))
}

/** Reads the whole answer, so that a connection that breaks in the middle is noticed before any of it is shown. */
async function whole(answer: Response): Promise<Response> {
  if (answer.body === null || !isPayload(answer)) return answer
  const { status, statusText, headers, url, redirected } = answer
  const copy = new Response(await answer.arrayBuffer(), { status, statusText, headers })
  // The constructor cannot set these two, and the router reads them.
  Object.defineProperty(copy, 'url', { value: url })
  Object.defineProperty(copy, 'redirected', { value: redirected })
  return copy
}

const isPayload = (answer: Response) => answer.headers.get('content-type')?.startsWith(payloadType) ?? false

/** Moves the key of a submission from its form into the header. React prefixes the names of the fields. */
function withSubmissionKey(init: RequestInit): RequestInit {
  if (!(init.body instanceof FormData)) return init
  for (const [name, value] of init.body.entries())
    if (name.endsWith(submissionField) && typeof value === 'string') {
      const headers = new Headers(init.headers)
      headers.set('idempotency-key', value)
      return { ...init, headers }
    }
  return init
}

function targetOf(input: RequestInfo | URL): string {
  const url = new URL(input instanceof Request ? input.url : input, window.location.href)
  url.searchParams.delete(unionQuery)
  return pathOf(url)
}

const shownPath = () => pathOf(new URL(window.location.href))

const pathOf = ({ pathname, searchParams }: URL) => {
  const query = searchParams.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
