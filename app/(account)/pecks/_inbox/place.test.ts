import { describe, expect, it } from 'vitest'
import { fragmentOf, placeIn } from './place'

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
