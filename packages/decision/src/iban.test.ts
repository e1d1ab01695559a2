import { describe, expect, it } from 'vitest'
import { groupedIban } from './iban'

describe('groupedIban', () => {
  it.each([
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
    [' gb29 NWBK 6016 1331 9268 19 ', 'GB29 NWBK 6016 1331 9268 19'],
    ['NO9386011117947', 'NO93 8601 1117 947'],
  ])('groups %s', (text, grouped) => {
    expect(groupedIban(text)).toBe(grouped)
  })

  it.each([
    'DE89370400440532013001',
    'DE8937040044\u200b0532013000',
    'D\u04158937040044053201300',
    'DE89',
    'pay me',
  ])('returns null for %j', (text) => {
    expect(groupedIban(text)).toBeNull()
  })
})
