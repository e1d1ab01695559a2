import { describe, expect, it } from 'vitest'
import { isWholeCode, missingDigits } from './decision'

describe('the code of a service', () => {
  it('is whole with six digits and nothing else', () => {
    expect(['483920', '000000'].map(isWholeCode)).toEqual([true, true])
    expect(['', '48392', '4839201', '48392a', '٤٨٣٩٢٠'].map(isWholeCode)).not.toContain(true)
  })

  it('says what to type when the code is missing or too short', () => {
    expect(missingDigits('')).toBe('Type the six digits that the service shows you.')
    expect(missingDigits('483')).toBe('The code has six digits, and you typed 3. Type all six.')
  })
})
