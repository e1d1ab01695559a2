import { type ErrorCode, failureTable } from '@/lib/kernel/failures'

/** Returns the failures with a code. */
export function outcomesOf(code: ErrorCode) {
  return Object.values(failureTable).filter((outcome) => outcome.code === code)
}
