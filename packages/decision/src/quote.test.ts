import unhomoglyph from 'unhomoglyph'
import { describe, expect, it } from 'vitest'
import { quotable, quoted } from './quote'

const marks = /^['"`]+$/

/** Every code point that is a quotation mark or looks like one (UTS #39, and characters that its table lacks). */
const lookAlikes = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => {
    if (/[\p{Pi}\p{Pf}\p{Quotation_Mark}❛-❠🙶-🙸]/u.test(character)) return true
    const plain = character.normalize('NFKC').trim()
    return [character, plain, plain.replace(/\p{M}/gu, '')].some((form) => marks.test(unhomoglyph(form)))
  })

describe('quoted', () => {
  it('covers the quotation marks of Unicode and their look-alikes', () => {
    expect(lookAlikes.length).toBeGreaterThanOrEqual(99)
    for (const one of '\'"`ʺ˝״″‟❝❞〃ˮ＂„«‹〝「יꞌ') expect(lookAlikes).toContain(one)
  })

  it('removes every look-alike after a word, alone, doubled and mixed', () => {
    for (const one of lookAlikes) {
      for (const ending of [one, one + one, `'${one}`, `${one}'`, `${one}\u034f${one}`, `${one} ${one}`]) {
        const name = `Bank${ending} of Bob7 (tier T3)`
        expect([name, quoted(name)]).toEqual([name, '"Bank of Bob7 (tier T3)"'])
        expect([ending, quoted(ending)]).toEqual([ending, '""'])
      }
    }
  })

  it('replaces look-alikes between letters by an apostrophe', () => {
    for (const one of lookAlikes) {
      expect(['"O\'Neill"', '"ONeill"']).toContain(quoted(`O${one}Neill`))
      expect(quoted(`O${one}${one}Neill`)).toBe('"ONeill"')
    }
  })

  it.each([
    ["O'Neill", "O'Neill"],
    ['O’Neill', "O'Neill"],
    ['Hawaiʻi', "Hawai'i"],
    ["'quoted'", 'quoted'],
    ["the dogs' bowl", 'the dogs bowl'],
    ['Bank" of Bob7\n\u202easks “you” «nothing»\u200b', 'Bank of Bob7 asks you nothing'],
    ['Bank\u030b of Bob7', 'Bank of Bob7'],
    ['Bank \u030e of Bob7', 'Bank of Bob7'],
    ['a\u3164b', 'ab'],
    ['  two\t words ', 'two words'],
    ['Kalender-Agent 2', 'Kalender-Agent 2'],
    ['Trợ lý Ơ', 'Trợ lý Ơ'],
    ['Erdo\u030bs', 'Erdős'],
    ['עוזר ביתי', 'עוזר ביתי'],
    ['हिन्दी', 'हिन्दी'],
    ['助手', '助手'],
    ['🦆', '🦆'],
  ])('quotes %j as %j', (name, text) => {
    expect(quoted(name)).toBe(`"${text}"`)
    expect(quotable(name)).toBe(text)
  })

  it('keeps letters that look like marks only inside words of their own script', () => {
    expect(quoted('ביית')).toBe('"ביית"')
    expect(quoted('Bankיי of Bob7')).toBe('"Bank of Bob7"')
  })
})
