/** The state that a server action returns to its form: errors by field, a message, and the values that the person typed. */
import type { Lost } from '../connection/failures'

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
  /** Why the action has no final answer. The same submission can be sent again, with the same key. */
  lost?: Lost
  /** Counts submissions, so that a form notices when it gets the same answer twice. */
  turn: number
}

export const idleForm: FormState<never> = { status: 'idle', message: '', errors: {}, values: {}, turn: 0 }

/** Fields whose values are not sent back to the browser, and not kept as a draft. */
const secretFields = ['password', 'otp', 'token', 'credential', 'passkey']

/** The hidden field with the number of a submission, by which the browser finds its draft again. Empty without scripts. */
export const draftField = '$draft'

/** The field with the key of a submission, which the browser sends again after an answer was lost. Missing without scripts. */
export const submissionField = '$submission'

/** Returns the typed texts of a form as name and value, without secrets, files and the fields of Next and of our forms (`$…`). */
export function typedEntries(form: FormData): [name: string, value: string][] {
  return [...form.entries()].flatMap(([name, value]) =>
    typeof value === 'string' && !name.startsWith('$') && !secretFields.includes(name) ? [[name, value]] : [],
  )
}

/** Returns the typed texts of a form by name, for the state after a refusal. */
export const typedValues = (form: FormData): Record<string, string> => Object.fromEntries(typedEntries(form))

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
