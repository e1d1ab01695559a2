/**
 * The mark of a test service: everything that a process of `beak dev` signs or answers has `test: true`. Its clock can be moved and its test
 * accounts answer by themselves, so a marked thing proves nothing outside of a test. Every check refuses it unless its caller allows it, and then
 * accepts it only of a service on this computer: a test service has no other address.
 */
import { environmentOf } from './environment'
import { isLoopback } from './loopback'

export interface TestOptions {
  /**
   * Accepts what a test service on this computer made. Set it only in tests. Default: whether `BEAK_ALLOW_TEST` of the environment is `1`.
   */
  allowTest?: boolean | undefined
}

/** The machine word for the refusal of a marked thing. */
export const testCredential = 'test_credential'

export const testMessage =
  'This was made by a test service, so it proves nothing. In tests, set allowTest or BEAK_ALLOW_TEST=1, which count only for a service on this computer.'

/** The address of the fake (`@beak/client/testing`). No real host has this name (RFC 6761). */
export const fakeAddress = 'https://beak.test'

/**
 * Tells whether a check must refuse claims or an answer. A member `test` with any value counts as the mark, also `false`.
 *
 * @param address the service that made it. Default: the issuer in the claims
 */
export function isRefusedTest(value: unknown, options: TestOptions, address?: string): boolean {
  return isTestMarked(value) && !isTestAllowed(options, address ?? (value as { iss?: unknown }).iss)
}

/** Tells whether claims, an answer or a message have the mark. */
export const isTestMarked = (value: unknown) =>
  (value as { test?: unknown } | null | undefined)?.test !== undefined

/** Tells whether a check may accept what the test service at an address made. The environment counts for no other address than a loopback one. */
export function isTestAllowed({ allowTest }: TestOptions, address: unknown): boolean {
  if (typeof address !== 'string') return false
  if (allowTest === undefined) return environmentOf('BEAK_ALLOW_TEST') === '1' && isLoopback(address)
  return allowTest === true && isTestAddress(address)
}

/** Tells whether a test service can have this address. */
const isTestAddress = (address: string) => isLoopback(address) || address === fakeAddress

/** Throws `TypeError` when a program allows tests for a service that is not on this computer. */
export function refuseTestElsewhere({ allowTest }: TestOptions, address: string): void {
  if (allowTest === true && !isTestAddress(address))
    throw new TypeError(
      `allowTest counts only for a test service on this computer (localhost, 127.0.0.1 or [::1]), and not for ${address}.`,
    )
}
