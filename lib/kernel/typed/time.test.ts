import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timeOrNull } from '@/lib/kernel/request/fields'
import { readDecimal } from './decimal'
import { searchForm } from './search'
import { readClockTime, readInstant } from './time'

it.each([
  ['21:30', '21:30'],
  ['9:30', '09:30'],
  [' 09.30 ', '09:30'],
  ['9h05', '09:05'],
  ['21:30:00', '21:30'],
  ['9:30 pm', '21:30'],
  ['12:00 A.M.', '00:00'],
  ['12:15pm', '12:15'],
  ['٢١:٣٠', '21:30'],
  ['２１：３０', '21:30'],
])('reads the time of day %j as %j', (typed, time) => {
  expect(readClockTime(typed)).toBe(time)
})

it.each(['24:00', '25:10', '9:60', '930', '0:30 pm', '13:00 am', '9', '21:30:15', '9:30 p', ''])(
  'reads no time of day in %j',
  (typed) => {
    expect(readClockTime(typed)).toBe(typed)
  },
)

it.each([
  ['2026-11-28T10:00:00.000Z', '2026-11-28T10:00:00.000Z'],
  ['2026-11-28 10:00:00z', '2026-11-28T10:00:00.000Z'],
  ['2026-11-28t10:00+0100', '2026-11-28T09:00:00.000Z'],
  ['2026-11-28 10:00 \u221201:00', '2026-11-28T11:00:00.000Z'],
  ['٢٠٢٦-١١-٢٨T١٠:٠٠Z', '2026-11-28T10:00:00.000Z'],
])('reads the time %j as %j', (typed, time) => {
  expect(timeOrNull('').parse(typed)?.toISOString()).toBe(time)
})

it.each([
  '2026-11-28',
  '2026-11-28T10:00:00',
  '28.11.2026 10:00Z',
  '11/28/2026',
  '1795860000',
  '2026-02-30T10:00Z',
])('says what would be taken instead of the time %j', (typed) => {
  expect(
    timeOrNull('')
      .safeParse(typed)
      .error?.issues.map(({ message }) => message),
  ).toEqual(['must be a time such as 2026-11-21T19:00:00.000Z, or null'])
})

it.each([
  ['12.50', '12.50'],
  ['12,5', '12.5'],
  ['1 250,50', '1250.50'],
  ['1\u202f250', '1250'],
  ['1’250.50', '1250.50'],
  ['١٢٫٥٠', '12.50'],
  ['１２．５', '12.5'],
])('reads the number %j as %j', (typed, number) => {
  expect(readDecimal(typed)).toBe(number)
})

// More than one reading, a sign that would be lost, or no number.
it.each(['1,250', '1.250,50', '1,250.50', '-5', '−5', '1 25', '12,', '1٫2٫5', '5 €', '1,2,3'])(
  'reads no other number in %j',
  (typed) => {
    expect(readDecimal(typed)).not.toMatch(/^\d+(\.\d{1,2})?$/)
  },
)

it.each([
  ['Müller', 'muller'],
  ['ＣＡＦＥ́', 'cafe'],
  ['Straße', 'STRASSE'],
  ['٢٠٢٦', '2026'],
])('searches %j like %j', (left, right) => {
  expect(searchForm(left)).toBe(searchForm(right))
})

it.each([
  ['time of day', readClockTime],
  ['time', readInstant],
  ['number', readDecimal],
  ['search', searchForm],
])('reads what it has read as the same (%s)', (_, reader) => {
  const pieces = fc.constantFrom(
    '2026-11-28',
    ' ',
    'T',
    '09:30',
    '9:5',
    ':00',
    'Z',
    '+01',
    '00',
    ',',
    '٫',
    "'",
    '250',
    '１',
    'pm',
    'é',
    'ẞ',
    'İ',
    '-',
  )
  const texts = fc.array(pieces).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => reader(reader(text)) === reader(text)),
    { numRuns: 300 },
  )
})
