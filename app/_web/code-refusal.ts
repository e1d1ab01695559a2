/** Words for refused codes, for the person who typed the code. */
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
      return 'Five wrong codes. The codes we sent no longer work. Send a new one.'
    case 'code_paused':
      return `Too many wrong codes in a row. Codes work again ${wait(problem.retry_after ?? 0)}. You can sign in with a passkey at any time.`
    case 'code_locked':
      return `Too many wrong codes in a row. Codes work again ${wait(problem.retry_after ?? 0)}. Until then, sign in with a passkey, or with a code on a device that has signed in before.`
    case 'sign_in_failed':
    case 'code_invalid':
      return "That code isn't right, or it has expired. Use the code from our newest email. After five wrong tries, a code stops working."
  }
  if (problem.code === 'E4004') return explain(problem)
  return isInvalid ? 'Enter the six digits from the email.' : null
}
