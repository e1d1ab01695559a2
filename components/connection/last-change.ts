/**
 * What the tab sent last to change something, and what came of it: an error page says so, after the form that sent it has gone. Every change
 * passes the guard of the router.
 */

/**
 * `answered`: Beak answered, and no form knows what. `not_sent` also stands for a refusal. `no_answer`: the service may have carried it out.
 */
export type ChangeResult = 'sending' | 'answered' | 'saved' | 'not_saved' | 'not_sent' | 'no_answer'

export interface LastChange {
  result: ChangeResult
  /** The requests that it names. */
  peckIds: string[]
  /** The page that sent it. */
  path: string
  /** Resolves when nothing more is heard of it. */
  ended: Promise<void>
}

const peckId = /\bPECK-[\dA-Z-]+/g
/** As many as the service reads at once. */
const peckMax = 100

let last: LastChange | null = null

/** Returns the last change of this tab, or null when nothing was sent since its page was loaded. */
export const lastChange = (): LastChange | null => last

/** Records a change that is being sent. `failure` returns what its error means for the change. */
export function recordChange(
  body: BodyInit | null | undefined,
  sending: Promise<unknown>,
  failure: (error: unknown) => ChangeResult,
): void {
  const change: LastChange = {
    result: 'sending',
    peckIds: [...new Set(textOf(body).match(peckId))].slice(0, peckMax),
    path: window.location.pathname,
    ended: Promise.resolve(),
  }
  change.ended = sending.then(
    () => {
      change.result = 'answered'
    },
    (error: unknown) => {
      change.result = failure(error)
    },
  )
  last = change
}

/** Records what the form of the last change got as its answer. */
export function recordAnswer(isSaved: boolean): void {
  if (last?.result === 'answered') last.result = isSaved ? 'saved' : 'not_saved'
}

function textOf(body: BodyInit | null | undefined): string {
  if (body instanceof FormData)
    return [...body.values()].filter((value) => typeof value === 'string').join(' ')
  return typeof body === 'string' ? body : ''
}

/** The header of the requests that an open page makes for the router. A browser that opens a page does not send it. */
export const openPageHeader = 'x-beak-open-page'
