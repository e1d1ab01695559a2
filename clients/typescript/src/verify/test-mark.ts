/**
 * The mark of a test service: everything that a process of `beak dev` signs or answers has `test: true`. Its clock can be moved and its test
 * accounts answer by themselves, so a marked thing proves nothing outside of a test. Every check refuses it unless its caller allows it.
 */

export interface TestOptions {
  /** Accepts what a test service made. Set it only in tests. Default: false. */
  allowTest?: boolean | undefined
}

/** The machine word for the refusal of a marked thing. */
export const testCredential = 'test_credential'

export const testMessage =
  'This was made by a test service, so it proves nothing. Set allowTest only in tests.'

/** Tells whether a check must refuse claims or an answer. A member `test` with any value counts as the mark, also `false`. */
export function isRefusedTest(value: unknown, { allowTest }: TestOptions): boolean {
  return allowTest !== true && (value as { test?: unknown } | null | undefined)?.test !== undefined
}
