import { describe, expect, it } from 'vitest'
import { visible } from './visible'

describe('visible', () => {
  it('shows characters that nobody sees', () => {
    expect(visible('pay\u202eecneics \u200d')).toBe('pay⟨U+202E⟩ecneics ⟨U+200D⟩')
    expect(visible('a\u200db')).toBe('a⟨U+200D⟩b')
  })

  it('leaves the joiner between emoji, which makes one picture of them', () => {
    expect(visible('Oma 👨‍👩‍👧, 👩🏽‍🚀 and 🏳️‍🌈')).toBe('Oma 👨‍👩‍👧, 👩🏽‍🚀 and 🏳️‍🌈')
  })
})
