/** The state that a server action returns to its form: errors by field, a message, and the values that the person typed. */
import type { Problem } from './problem'

/** The proof that an action needs first. `fresh_code`: a new sign-in with a code, even for people with a passkey. */
export type Need = 'passkey' | 'fresh_sign_in' | 'fresh_code'

export interface FormState<T = unknown> {
  status: 'idle' | 'succeeded' | 'failed'
  /** A message for the whole form. */
  message: string
  /** Error messages by field. */
  errors: Record<string, string>
  /** Typed values by field, without passwords and codes. */
  values: Record<string, string>
  data?: T
  needs?: Need
  /** Counts submissions, so that a form notices when it gets the same answer twice. */
  turn: number
}

export const idleForm: FormState<never> = { status: 'idle', message: '', errors: {}, values: {}, turn: 0 }

/** Fields whose values are not sent back to the browser, and not kept as a draft. */
const secretFields = ['password', 'otp', 'token', 'credential', 'passkey']

/** The hidden field with the number of a submission, by which the browser finds its draft again. Empty without scripts. */
export const draftField = '$draft'

/** Returns the typed texts of a form as name and value, without secrets, files and the fields of Next and of our forms (`$…`). */
export function typedEntries(form: FormData): [name: string, value: string][] {
  return [...form.entries()].flatMap(([name, value]) =>
    typeof value === 'string' && !name.startsWith('$') && !secretFields.includes(name) ? [[name, value]] : [],
  )
}

const typedValues = (form: FormData): Record<string, string> => Object.fromEntries(typedEntries(form))

/** Returns the trimmed text of a field, or an empty text when the field is missing. */
export function field(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Returns the ticked values of a group. Its boxes are named `group:value` (see `Choices`). */
export function ticked(form: FormData, group: string): string[] {
  return [...form.keys()].flatMap((name) =>
    name.startsWith(`${group}:`) ? [name.slice(group.length + 1)] : [],
  )
}

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
  }
}

/** A refusal without a detail needs no summary: the error beside the field says everything. */
const fieldSummary = ({ detail }: Problem) => (detail === '' ? '' : 'Check the highlighted fields.')

/** Returns the proof that the API asks for first, if any. */
export function needOf({ required }: Problem): { needs?: Need } {
  return required === undefined ? {} : { needs: required }
}

/** Returns the state after an error, with a message for the whole form. */
export function failed<T>(previous: FormState<T>, form: FormData, message: string, data?: T): FormState<T> {
  return {
    status: 'failed',
    message,
    errors: {},
    values: typedValues(form),
    turn: previous.turn + 1,
    ...(data === undefined ? {} : { data }),
  }
}

/** Returns the state after success. */
export function succeeded<T>(previous: FormState<T>, message: string, data?: T): FormState<T> {
  return {
    status: 'succeeded',
    message,
    errors: {},
    values: {},
    turn: previous.turn + 1,
    ...(data === undefined ? {} : { data }),
  }
}

/** Returns a problem as text for people. Leaves out the API's `action`, which is advice for programs. */
export function explain(problem: Problem): string {
  if (problem.code === 'E4004' && problem.retry_after !== undefined)
    return `${problem.detail} Try again ${wait(problem.retry_after)}.`
  if (problem.code === 'E4006' && problem.detail.includes('session'))
    return "You've been signed out. Sign in and try again."
  return problem.detail
}

/** Returns a waiting time as text: `in 40 seconds`, `in 15 minutes`. */
export function wait(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`
  if (seconds < 5400) return `in ${Math.ceil(seconds / 60)} minutes`
  if (seconds < 172_800) return `in ${Math.ceil(seconds / 3600)} hours`
  return `in ${Math.ceil(seconds / 86_400)} days`
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
