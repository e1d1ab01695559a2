/** Refused reads: the error that a page throws, and the text of the page that is shown instead. */
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
        title: 'Too many requests',
        text: `You sent more requests than Beak accepts at once. Try again ${wait(problem.retry_after ?? 60)}.`,
        next: 'again',
        label: 'Try again',
      }
    case 400:
      return { title: "This address isn't valid", ...addressWords(problem) }
    case 503:
      return {
        title: "Beak can't reach its database",
        text: 'Your data is safe. Try again in a minute.',
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
      text: 'Its page marker was changed or cut off. Start again from the newest entries.',
      next: 'start',
      label: 'Show the newest',
    }
  return {
    text: `It has an unknown value for ${listWithAnd(names)}. Remove the filters and try again.`,
    next: 'start',
    label: 'Remove filters',
  }
}
