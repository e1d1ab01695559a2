/** Refused reads: the error that a page throws, and the text of the page that is shown instead. */

import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { wait } from './form'
import type { Problem } from './problem'

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
        title: m.problem_no_database(),
        text: m.problem_data_is_safe(),
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
      text: m.problem_page_marker_cut(),
      next: 'start',
      label: m.problem_show_the_newest(),
    }
  return {
    text: m.problem_unknown_value({ names: listWithAnd(names) }),
    next: 'start',
    label: m.problem_remove_filters(),
  }
}
