/** Words for refused codes, for the person who typed the code. */

import { m } from '@/lib/kernel/messages'
import { explain, wait } from './form'
import type { Problem } from './problem'

/** Assigns the refusal of a mailed code to the code's field, with what to do next. Returns other problems unchanged. */
export function codeRefusal(problem: Problem): Problem {
  const message = codeMessage(problem)
  // The form has one field, so a summary for the whole form would only repeat the error.
  return message === null ? problem : { ...problem, detail: '', errors: [{ field: 'otp', message }] }
}

/** The sentence beside the field, or null when the code is not the reason. */
function codeMessage(problem: Problem): string | null {
  const isInvalid = problem.errors?.some(({ field }) => field === 'otp')
  switch (problem.reason) {
    case 'too_many_wrong_codes':
      return m.problem_code_attempts_spent()
    case 'code_paused':
      return m.problem_codes_paused({ wait: wait(problem.retry_after ?? 0) })
    case 'code_locked':
      return m.problem_codes_locked({ wait: wait(problem.retry_after ?? 0) })
    case 'sign_in_failed':
    case 'code_invalid':
      return m.problem_code_not_right()
  }
  if (problem.code === 'E4004') return explain(problem)
  return isInvalid ? m.problem_code_missing_error() : null
}
