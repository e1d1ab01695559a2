/** What a form's server action tells its form: what is wrong beside which field, or what came of it. Nothing typed is lost. */
import type { Problem } from './problem'

/** What a person has to do before an action is possible. `fresh_code`: a sign-in with a code, whatever else they have. */
export type Need = 'passkey' | 'fresh_sign_in' | 'fresh_code'

export interface FormState<T = unknown> {
  status: 'idle' | 'succeeded' | 'failed'
  /** A sentence for the whole form. */
  message: string
  /** What is wrong, by field. */
  errors: Record<string, string>
  /** What was typed, by field: never passwords or codes. */
  values: Record<string, string>
  data?: T
  needs?: Need
  /** Counts answers, so that the same answer twice is noticed as a second one. */
  turn: number
}

export const idleForm: FormState<never> = { status: 'idle', message: '', errors: {}, values: {}, turn: 0 }

/** Fields whose contents do not travel back. */
const secretFields = ['password', 'otp', 'token', 'credential', 'passkey']

/** What was typed into a form's text fields. */
function typed(form: FormData): Record<string, string> {
  const entries = [...form.entries()].filter(
    ([name, value]) => typeof value === 'string' && !name.startsWith('$') && !secretFields.includes(name),
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** The text in a field, trimmed; empty when it is missing. */
export function field(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** What is ticked of the boxes of one group, which are named `group:value` (`Choices`). */
export function ticked(form: FormData, group: string): string[] {
  return [...form.keys()].flatMap((name) =>
    name.startsWith(`${group}:`) ? [name.slice(group.length + 1)] : [],
  )
}

/** The state after a refusal: field errors where the problem names fields, its sentence and what to do otherwise. */
export function invalid<T>(previous: FormState<T>, form: FormData, problem: Problem): FormState<T> {
  const errors = Object.fromEntries(
    (problem.errors ?? []).map(({ field: name, message }) => [name, sentence(message)]),
  )
  const named = Object.keys(errors).length > 0
  return {
    status: 'failed',
    message: named ? fieldSummary(problem) : explain(problem),
    errors,
    values: typed(form),
    turn: previous.turn + 1,
    ...needOf(problem),
  }
}

/** A refusal without a detail needs no summary: the field's own error says everything. */
const fieldSummary = ({ detail }: Problem) => (detail === '' ? '' : 'Check the highlighted fields.')

/** What has to be done first, as the API says it. */
export function needOf({ required }: Problem): { needs?: Need } {
  return required === undefined ? {} : { needs: required }
}

/** The state after something stopped on the way, with a sentence for the whole form. */
export function failed<T>(previous: FormState<T>, form: FormData, message: string, data?: T): FormState<T> {
  return {
    status: 'failed',
    message,
    errors: {},
    values: typed(form),
    turn: previous.turn + 1,
    ...(data === undefined ? {} : { data }),
  }
}

/** The state after success. */
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

/** A problem in words for people: what is wrong and, where the API's own advice is about requests, none of it. */
export function explain(problem: Problem): string {
  if (problem.code === 'E4004' && problem.retry_after !== undefined)
    return `${problem.detail} Try again ${wait(problem.retry_after)}.`
  if (problem.code === 'E4006' && problem.detail.includes('session'))
    return 'You have been signed out. Sign in again and repeat this.'
  return problem.detail
}

/** When something is possible again, in words: "in 40 seconds", "in 15 minutes". */
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
