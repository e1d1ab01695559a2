import { m } from '@/lib/kernel/messages'
import type { Recognised } from './recognise'

/** The name of the field. */
export const fieldName = 'thing'

/** Returns the error for a text that cannot be checked. `hint` says what to enter instead, when that is known. */
export function unknownText(hint: string | null): string {
  return hint ?? m.verify_unknown_input_error()
}

/** Returns the warning for a secret. */
export function secretText(name: string): string {
  return m.verify_this_is_name_secret_anyone_who({ secret: name })
}

/** Returns what to do without JavaScript with something that is checked in the browser. */
export function withoutScripts(found: Extract<Recognised, { kind: 'receipt' | 'secret' }>): string {
  return found.kind === 'secret' ? secretText(found.name) : m.verify_receipt_needs_javascript()
}
