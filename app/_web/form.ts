/** What a form and a page say after a refused call: the state of the form, and problems as text for people. */
import { lostMessages } from '@/components/connection/failures'
import { type FormState, type Need, typedValues } from '@/components/ui/form-state'
import { m } from '@/lib/kernel/messages'
import { isRunning, type Problem } from './problem'

/** Returns the state after a refusal: errors beside the fields that the problem names, else its text for the whole form. */
export function invalid<T>(previous: FormState<T>, form: FormData, problem: Problem): FormState<T> {
  const errors = Object.fromEntries(
    (problem.errors ?? []).map(({ field: name, message }) => [name, sentence(message)]),
  )
  const hasFieldErrors = Object.keys(errors).length > 0
  return {
    status: 'failed',
    message: hasFieldErrors ? fieldSummary(problem) : explain(problem),
    errors,
    values: typedValues(form),
    turn: previous.turn + 1,
    ...needOf(problem),
    ...lostOf(problem),
  }
}

/** Marks a refusal after which the same submission can be repeated: it has no final answer. The browser then keeps its key. */
function lostOf(problem: Problem): Pick<FormState, 'lost'> {
  if (isRunning(problem)) return { lost: 'busy' }
  return problem.status >= 500 ? { lost: 'broken' } : {}
}

/** A refusal without a detail needs no summary: the error beside the field says everything. */
const fieldSummary = ({ detail }: Problem) => (detail === '' ? '' : m.common_check_highlighted_fields())

/** Returns the proof that the API asks for first, if any. */
export function needOf({ required }: Problem): { needs?: Need } {
  return required === undefined ? {} : { needs: required }
}

/** Returns a problem as text for people. Leaves out the API's `action`, which is advice for programs. */
export function explain(problem: Problem): string {
  if (problem.code === 'E4004' && problem.retry_after !== undefined)
    return m.problem_detail_and_wait({ detail: problem.detail, wait: wait(problem.retry_after) })
  if (isRunning(problem)) return lostMessages.busy
  if (problem.reason === 'session_invalid') return m.problem_signed_out()
  return problem.detail
}

/** Returns a waiting time as text: `in 40 seconds`, `in 15 minutes`. */
export function wait(seconds: number): string {
  if (seconds < 90) return m.common_in_seconds({ count: seconds })
  if (seconds < 5400) return m.common_in_minutes({ count: Math.ceil(seconds / 60) })
  if (seconds < 172_800) return m.common_in_hours({ count: Math.ceil(seconds / 3600) })
  return m.common_in_days({ count: Math.ceil(seconds / 86_400) })
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Returns the object that a text has as JSON, or an empty one. */
export function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
