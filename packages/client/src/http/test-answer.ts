import { isRefusedTest, type TestOptions } from '@beak/proofs/test-mark'
import { TestCredentialError } from '../errors'
import type { OperationTypes } from '../generated/types'

/** Reads the claims of a token, or returns null for another text. Only the service can tell whether they are true. */
export function uncheckedClaims(token: string): Record<string, unknown> | null {
  try {
    const part = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), (letter) =>
      letter.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Refuses the answers and the credentials of a test service in the calls that check something. */

/** The calls whose answers programs rely on. The others only show what the service has. */
const checks: ReadonlySet<string> = new Set<keyof OperationTypes>([
  'consumeGrant',
  'checkGrant',
  'verifyCertificate',
  'verifyAgent',
  'verifySsoToken',
  'verifySsoTokenInQuery',
])

/** Throws `TestCredentialError` before a grant token of a test service is sent, so its permission stays unspent. */
export function refuseTestInput(name: string, input: object, options: TestOptions & { url: string }): void {
  if (!checks.has(name)) return
  for (const value of Object.values(input))
    if (typeof value === 'string' && isRefusedTest(uncheckedClaims(value), options, options.url))
      throw new TestCredentialError()
}

/** Throws `TestCredentialError` for an answer of a test service. */
export function refuseTestAnswer(
  name: string,
  answer: unknown,
  options: TestOptions & { url: string },
): void {
  if (checks.has(name) && isRefusedTest(answer, options, options.url)) throw new TestCredentialError()
}
