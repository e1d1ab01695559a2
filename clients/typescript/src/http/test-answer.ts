/** Refuses the answers and the credentials of a test service in the calls that check something. */
import { TestCredentialError } from '../errors'
import type { OperationTypes } from '../generated/types'
import { isRefusedTest, type TestOptions } from '../verify/test-mark'
import { uncheckedClaims } from './unchecked-claims'

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
