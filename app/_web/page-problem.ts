/** Refused reads: what a page says and which status it has when the API does not let it read. */

import { wait } from './form'
import type { Problem } from './problem'

/** A refused read. `withProblemPage` draws a page for it; otherwise the error page shows it. */
export class PageProblem extends Error {
  /** All that Next tells the browser of an error: the code and the request it belongs to. */
  readonly digest: string
  constructor(readonly problem: Problem) {
    super(`${problem.detail} ${problem.action}`)
    this.name = 'PageProblem'
    this.digest = `${problem.code} ${problem.request_id ?? ''}`.trimEnd()
  }
}

/** What the page in place of a refused one says. */
export interface ProblemWords {
  title: string
  text: string
  /** Where the page leads: the same address again, or the same page without what stands behind the question mark. */
  next: 'again' | 'start'
  label: string
}

/** The words for a refused read, or null when the error page has to show it. */
export function problemWords(problem: Problem): ProblemWords | null {
  switch (problem.status) {
    case 429:
      return {
        title: 'Too many requests',
        text: `Beak got more requests from you than it accepts at once. Try again ${wait(problem.retry_after ?? 60)}.`,
        next: 'again',
        label: 'Try again',
      }
    case 400:
      return { title: 'This address is not valid', ...addressWords(problem) }
    case 503:
      return {
        title: 'Beak cannot read its records',
        text: 'The database does not answer. Nothing is lost. Try again in a minute.',
        next: 'again',
        label: 'Try again',
      }
    default:
      return null
  }
}

function addressWords({ errors = [] }: Problem): Pick<ProblemWords, 'text' | 'next' | 'label'> {
  const names = errors.map(({ field }) => field)
  if (names.length === 0 || names.includes('cursor'))
    return {
      text: 'The page marker in it was changed or cut off. Start from the newest.',
      next: 'start',
      label: 'Start from the newest',
    }
  return {
    text: `It has a value that does not exist for: ${names.join(', ')}. Start without filters.`,
    next: 'start',
    label: 'Show everything',
  }
}
