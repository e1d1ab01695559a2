import { type ErrorCode, failureNames, failureTable } from '@/lib/kernel/request/failures'

/** Returns the reasons with a code, each with its text and what to do. */
export function outcomesOf(code: ErrorCode) {
  return failureNames
    .map((reason) => ({ reason, ...failureTable[reason] }))
    .filter((outcome) => outcome.code === code)
}
