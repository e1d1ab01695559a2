import { describe, expect, it } from 'vitest'
import { ownerFacts, sinceWords } from './owner-words'

const now = Date.parse('2026-11-23T12:00:00.000Z')

describe('sinceWords', () => {
  it.each([
    ['2026-11-23T09:00:00.000Z', 'joined today'],
    ['2026-11-22T11:00:00.000Z', 'joined yesterday'],
    ['2026-11-20T11:00:00.000Z', 'joined 3 days ago'],
    ['2026-10-20T11:00:00.000Z', 'since 2026-10'],
  ])('says for %s: %s', (at, words) => {
    expect(sinceWords(at, now)).toBe(words)
  })
})

describe('ownerFacts', () => {
  const twin = { duckling_id: 'DUCK-01JDV8K2M3N4P5Q6R7S8T97F3K', trust_tier: 'T1' }

  it('has the handle, or without one the end of the id', () => {
    expect(ownerFacts(twin, now)).toEqual(['…7F3K', 'email confirmed'])
    expect(ownerFacts({ ...twin, handle: 'teal', member_since: '2025-11-02T00:00:00.000Z' }, now)).toEqual([
      '@teal',
      'email confirmed',
      'since 2025-11',
    ])
  })
})
