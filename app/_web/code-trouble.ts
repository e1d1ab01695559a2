/** What to do about a code that was refused, in words for whoever typed it. */
import { failureTable } from '@/lib/kernel/failures'
import { explain, type FormState, invalid, wait } from './form'
import type { Problem } from './problem'

/** A refusal of a mailed code, said beside its field. Other refusals stay with the form. */
export function refusedCode<T>(previous: FormState<T>, form: FormData, problem: Problem): FormState<T> {
  const message = codeTrouble(problem)
  if (message === null) return invalid(previous, form, problem)
  const state = invalid(previous, form, { ...problem, errors: [{ field: 'otp', message }] })
  return { ...state, message: '' }
}

/** The sentence beside the field, or null where the code is not what is wrong. */
function codeTrouble(problem: Problem): string | null {
  const { code_tries_exhausted, code_paused, code_locked } = failureTable
  switch (problem.detail) {
    case code_tries_exhausted.detail:
      return 'Five wrong codes: the ones we mailed no longer work. Ask for a new one.'
    case code_paused.detail:
      return `Too many wrong codes in a row. Codes work again ${wait(problem.retry_after ?? 0)}; a passkey signs you in at any time.`
    case code_locked.detail:
      return `Too many wrong codes in a row. Codes work again ${wait(problem.retry_after ?? 0)}. A passkey works at any time, and so do codes on a device that has signed in before.`
  }
  if (problem.code === 'E4004') return explain(problem)
  if (problem.errors?.some(({ field }) => field === 'otp')) return 'Type the six digits from the mail.'
  const isCode =
    problem.detail === failureTable.sign_in_refused.detail ||
    problem.detail === failureTable.code_invalid.detail
  return isCode
    ? 'This is not the code, or it has expired. Take the one from our newest mail; five wrong tries end a code.'
    : null
}
