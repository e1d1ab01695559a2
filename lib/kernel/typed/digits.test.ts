import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inScript, zeros } from '@/lib/fixtures/source-files'
import { asciiDigits, asciiWidth, readCode, trimmed } from './digits'
import { readPhone } from './phone'

describe('typed digits', () => {
  it('reads the decimal digits of each script', () => {
    expect(zeros.length).toBeGreaterThan(60)
    for (const zero of zeros) {
      const all = inScript(zero, '0123456789')
      // The engine has the numeric values of no digit, but the compatibility forms of some.
      if (all.normalize('NFKC') !== all) expect(all.normalize('NFKC')).toBe('0123456789')
      expect([zero, asciiDigits(all)]).toEqual([zero, '0123456789'])
      expect(readCode(inScript(zero, '908172'))).toBe('908172')
      expect(readPhone(inScript(zero, '0049 (0)151-234 56789'))).toBe('+4915123456789')
    }
  })

  it.each([
    ['123456', '123456'],
    [' 123 456\n', '123456'],
    ['123-456', '123456'],
    ['123\u2011456', '123456'],
    ['１２３ー４５６', '123456'],
    ['\u202d123\u00a0456\u202c', '123456'],
    ['١٢٣ ۴۵۶', '123456'],
  ])('reads the code %j as %j', (typed, code) => {
    expect(readCode(typed)).toBe(code)
  })

  it.each(['①②③④⑤⑥', '²³¹²³¹', '一二三四五六', 'Ⅰ23456', '12345O', 'l23456', '123.456'])(
    'reads no six digits in %j',
    (typed) => {
      expect(readCode(typed)).not.toMatch(/^\d{6}$/)
    },
  )
})

describe('typed telephone numbers', () => {
  it.each([
    '+4915123456789',
    '+49 151 23456789',
    '+49-151-2345-6789',
    '0049 151 23456789',
    '+49 (0)151 23456789',
    '+49 (0) 151 / 234 567 89',
    '0049(0)151.23456789',
    'tel:+49-151-23456789',
    '＋４９　１５１　２３４５６７８９',
    '+٤٩١٥١٢٣٤٥٦٧٨٩',
    '\u202a+49 151 23456789\u202c',
    '+49\u2010151\u201323456789',
  ])('reads %j', (typed) => {
    expect(readPhone(typed)).toBe('+4915123456789')
  })

  it.each([
    ['a zero in brackets that is not behind the code of the country', '+49 151 (0)2345678', '+4915102345678'],
    ['a number without the code of a country', '0151 23456789', '015123456789'],
    ['two signs', '++49 151', '++49151'],
    ['an extension', '+49 151 23456789 ext. 5', '+4915123456789ext5'],
    ['letters', '+1 800 FLOWERS', '+1800FLOWERS'],
  ])('drops nothing of %s', (_, typed, read) => {
    expect(readPhone(typed)).toBe(read)
  })
})

describe('each reader', () => {
  const anyCharacter = fc
    .integer({ min: 1, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code))
    .filter((character) => character.isWellFormed())
  const pieces = fc.constantFrom(
    'tel:',
    '(0)',
    '00',
    '+',
    '(',
    ')',
    '49',
    '٤',
    '０',
    ' ',
    '-',
    'ー',
    'é',
    '\u200b',
    '.',
  )
  it.each([
    ['digits', asciiDigits],
    ['width', asciiWidth],
    ['ends', trimmed],
    ['code', readCode],
    ['phone', readPhone],
  ])('reads what it has read as the same (%s)', (_, reader) => {
    const texts = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(pieces).map((parts) => parts.join('')),
    )
    fc.assert(fc.property(texts, (text) => reader(reader(text)) === reader(text)))
  })
})
