import { describe, expect, it } from 'vitest'
import { actionWords, lifetimes, meaning, paramText, stateWords, usesWords, visible } from './words'

describe('where a peck stands', () => {
  it.each([
    [{ status: 'pending', grant_status: null }, 'Waiting'],
    [{ status: 'expired', grant_status: null }, 'Not answered'],
    [{ status: 'approved', grant_status: 'active' }, 'Holds'],
    [{ status: 'approved', grant_status: 'consumed' }, 'Used up'],
    [{ status: 'approved', grant_status: 'revoked' }, 'Revoked'],
  ] as const)('%j is %s', (state, word) => {
    expect(stateWords(state).word).toBe(word)
  })
})

it('an action reads as a sentence begins', () => {
  expect(actionWords('send:mail')).toBe('Send mail')
})

describe('what approving means', () => {
  it.each([
    ['limited', 86_400, 'Once, within 24 hours of your approval. You can revoke it until it is used.'],
    ['timed', 3600, 'Any number of times for 1 hour from your approval. You can revoke it before.'],
    ['standing', null, 'Any number of times, until you revoke it.'],
  ] as const)('%s for %s seconds', (scope, seconds, words) => {
    expect(meaning(scope, seconds)).toBe(words)
  })
})

describe('the lifetimes to choose from', () => {
  it('are what was asked and less, never more', () => {
    expect(lifetimes(7200)).toEqual([
      { value: '', label: '2 hours, as asked' },
      { value: '3600', label: '1 hour' },
      { value: '300', label: '5 minutes' },
    ])
    expect(lifetimes(60)).toHaveLength(1)
    expect(lifetimes(null).map(({ label }) => label)).toContain('30 days')
  })
})

describe('what others wrote', () => {
  it('keeps its letters, spaces and lines', () => {
    expect(visible('Grüße, 鴨 \n\tيوم')).toBe('Grüße, 鴨 \n\tيوم')
  })

  it('hides nothing: no direction, no width, no control', () => {
    expect(visible('a\u202eb\u200bc\u0007d\ue000')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d⟨U+E000⟩')
    expect(paramText({ to: 'x\u2066' })).toBe('{"to":"x⟨U+2066⟩"}')
  })
})

it.each([
  [0, 'Not used yet'],
  [1, 'Used once'],
  [3, 'Used 3 times'],
])('%i uses: %s', (uses, words) => {
  expect(usesWords(uses)).toBe(words)
})
