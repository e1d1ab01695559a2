import type { Recognised } from './recognise'

/** The name of the field. */
export const fieldName = 'thing'

/** Returns the error for a text that cannot be checked. `hint` says what to enter instead, when that is known. */
export function unknownText(hint: string | null): string {
  return (
    hint ??
    "That isn't something we can check. Enter a certificate number (CERT-…), an agent's ID (AGT-…), a receipt, or a token."
  )
}

/** Returns the warning for a secret. */
export function secretText(name: string): string {
  return `This is ${name}, a secret. Anyone who has it can act with it, so never show it to anyone. We did not check it. If you got it from somebody else, tell them to replace it.`
}

/** Returns what to do without JavaScript with something that is checked in the browser. */
export function withoutScripts(found: Extract<Recognised, { kind: 'receipt' | 'secret' }>): string {
  return found.kind === 'secret'
    ? secretText(found.name)
    : 'This is a receipt. Receipts are checked in your browser, which needs JavaScript. A program can check them too: see "Check it yourself" in the documentation.'
}
