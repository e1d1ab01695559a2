/** Whether a text is a whole code: six digits. */
export const isWholeCode = (digits: string): boolean => /^\d{6}$/.test(digits)

/** Returns what to do when the code is missing, or has too few digits. */
export function missingDigits(digits: string): string {
  if (digits === '') return 'Type the six digits that the service shows you.'
  return `The code has six digits, and you typed ${digits.length}. Type all six.`
}
