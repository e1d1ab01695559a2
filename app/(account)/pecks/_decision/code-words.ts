import { m } from '@/lib/kernel/messages'
/** Whether a text is a whole code: six digits. */
export const isWholeCode = (digits: string): boolean => /^\d{6}$/.test(digits)

/** Returns what to do when the code is missing, or has too few digits. */
export function missingDigits(digits: string): string {
  if (digits === '') return m.decision_type_six_digits_that_service_shows()
  return m.decision_code_has_six_digits_you_typed({ count: digits.length })
}
