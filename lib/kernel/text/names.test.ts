import { describe, expect, it } from 'vitest'
import { hasInvisible, mixesAlphabets } from './names'

// security: asker-24
describe('hasInvisible', () => {
  it.each([
    'Sco\u200but',
    'Sco\u200dut',
    'Sco\u200cut',
    'Sco\u2060ut',
    'Sco\u034fut',
    'Scout\ufe0f',
    'Scout\u{e0100}',
    'Scout\u{e0041}',
    'Scout\u2800',
    '\u3164',
    'Scout\u180e',
    'Scout\u17b4',
    'Scout\ue000',
    'Scout 1\ufe0f',
  ])('returns true for %j', (name) => {
    expect(hasInvisible(name)).toBe(true)
  })

  it.each(['Scout', 'Zoë 2', 'نامه‌نگار', 'क्‍ष', '👨‍👩‍👧 Family', '❤️ Helper', '1️⃣ First', '助手'])(
    'returns false for %j',
    (name) => {
      expect(hasInvisible(name)).toBe(false)
    },
  )
})

// security: asker-24
describe('mixesAlphabets', () => {
  it.each([
    'Sсout',
    'Раypal',
    'Αcme',
    'Scоut helper',
    'Helper Sсоut2',
    'Ꮪcout',
    'Aօb',
    'Воt'.replace('т', 't'),
    'Πолк',
  ])('returns true for %j', (name) => {
    expect(mixesAlphabets(name)).toBe(true)
  })

  it.each([
    'Scout',
    'Zoë',
    'Помощник',
    'Помощник GPT',
    'GPT-помощник 2',
    'βοηθός',
    'Tシャツ係',
    'A팀 도우미',
    '卡拉OK',
    'עוזר AI',
    'مساعد',
    'सहायक',
    'µTools 5',
    '🦆 Scout 🦆',
  ])('returns false for %j', (name) => {
    expect(mixesAlphabets(name)).toBe(false)
  })
})
