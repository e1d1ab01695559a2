import { describe, expect, it } from 'vitest'
import { fragmentOf, nothingChecked, placeIn, toggled, withRange } from './use-selection'

const peck = 'PECK-01M8C4TBSXER7NJKEG3WPXKSVP'

describe('placeIn', () => {
  it('returns the place of which fragmentOf made the fragment', () => {
    for (const place of [
      { peck, isList: false },
      { peck, isList: true },
      { peck: null, isList: true },
    ])
      expect(placeIn(fragmentOf(place))).toEqual(place)
  })

  it('returns null for other fragments', () => {
    for (const fragment of ['', '#', '#main', '#row-PECK-1', '#list:x', `#${peck}/x`])
      expect(placeIn(fragment)).toBeNull()
  })
})

const ids = ['a', 'b', 'c', 'd', 'e']
const shape = ({ ids: found }: typeof nothingChecked) => [...found].sort().join('')

describe('a selection', () => {
  const first = toggled(nothingChecked, 'b')

  it('gains a row and loses the row again', () => {
    expect(shape(toggled(first, 'd'))).toBe('bd')
    expect(shape(toggled(first, 'b'))).toBe('')
  })

  it('grows to a range, and shrinks when the range ends earlier or on the other side', () => {
    const range = withRange(first, ids, { from: 'b', to: 'e' })
    expect(shape(range)).toBe('bcde')
    const shorter = withRange(range, ids, { from: 'b', to: 'c' })
    expect(shape(shorter)).toBe('bc')
    expect(shape(withRange(shorter, ids, { from: 'b', to: 'a' }))).toBe('ab')
  })

  it('keeps earlier rows when a new range begins', () => {
    expect(shape(withRange(first, ids, { from: 'd', to: 'e' }))).toBe('bde')
  })
})
