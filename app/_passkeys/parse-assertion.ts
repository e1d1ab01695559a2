import type { BodyOf } from '@/app/beak/_api/lines'

type Assertion = BodyOf<'POST /beak/passkey/confirm'>['passkey']

/** Returns the assertion in a field of a form. Text that is not JSON becomes an empty assertion, which the API refuses. */
export function parseAssertion(text: string): Assertion {
  try {
    return JSON.parse(text) as Assertion
  } catch {
    return {} as Assertion
  }
}
