/** Refused reads: the error that a page throws, and the text of the page that is shown instead. */

import { notFound } from 'next/navigation'
import type { Line, ResponseOf } from '@/app/beak/_api/lines'
import { answerWith } from '@/lib/http/page-errors'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { type ApiInput, api } from './api'
import { wait } from './form'
import { isMalformed, isMissing, type Problem } from './problem'

/** A refused read. `withProblemPage` renders a page for it. Without that wrapper the error page is shown. */
export class PageProblem extends Error {
  /** The only part of an error that Next sends to the browser: the code and the request id. */
  readonly digest: string
  constructor(readonly problem: Problem) {
    super(`${problem.detail} ${problem.action}`)
    this.name = 'PageProblem'
    this.digest = `${problem.code} ${problem.request_id ?? ''}`.trimEnd()
  }
}

/** The text of the page that is shown after a refused read. */
export interface ProblemWords {
  title: string
  text: string
  /** The target of its link: the same address (`again`), or the page without its query (`start`). */
  next: 'again' | 'start'
  label: string
}

/** Returns the text for a refused read, or null when the error page has to be shown. */
export function problemWords(problem: Problem): ProblemWords | null {
  switch (problem.status) {
    case 429:
      return {
        title: m.problem_too_many_requests(),
        text: m.problem_sent_more_than_accepted({ wait: wait(problem.retry_after ?? 60) }),
        next: 'again',
        label: m.problem_try_again(),
      }
    case 400:
      return { title: m.problem_address_not_valid(), ...addressWords(problem) }
    case 503:
      return {
        title: m.problem_beak_cant_reach_its_database(),
        text: m.problem_page_no_database_body(),
        next: 'again',
        label: m.problem_try_again(),
      }
    default:
      return null
  }
}

function addressWords({ errors = [] }: Problem): Pick<ProblemWords, 'text' | 'next' | 'label'> {
  const names = errors.map(({ field }) => field)
  if (names.length === 0 || names.includes('cursor'))
    return {
      text: m.problem_page_marker_error(),
      next: 'start',
      label: m.problem_show_the_newest(),
    }
  return {
    text: m.problem_unknown_value({ names: listWithAnd(names) }),
    next: 'start',
    label: m.problem_remove_filters(),
  }
}

/**
 * Sets status 404 for a page that renders its own "not found" text, so that browsers without scripts show it, too. When the response
 * is not available (`next start`), throws Next's `notFound()`, which renders the nearest `not-found` in the browser.
 */
export function answerNotFound(): void {
  if (!answerWith(404)) notFound()
}

/** Reads for pages. A refusal becomes a `PageProblem`, which `withProblemPage` turns into a page with that status. */

type ReadLine = Extract<Line, `GET ${string}`>

/** Returns the answer of an endpoint. Throws `PageProblem`. */
export async function read<L extends ReadLine>(line: L, input: ApiInput<L> = {}): Promise<ResponseOf<L>> {
  const result = await api(line, input)
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
}

/** Returns the answer of an endpoint, or null when the API answers 404 or the id is malformed. Throws `PageProblem`. */
export async function find<L extends ReadLine>(
  line: L,
  input: ApiInput<L> = {},
): Promise<ResponseOf<L> | null> {
  const result = await api(line, input)
  if (result.ok) return result.data
  if (isMissing(result.problem) || isMalformed(result.problem)) return null
  throw new PageProblem(result.problem)
}
