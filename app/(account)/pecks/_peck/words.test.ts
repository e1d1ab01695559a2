import { testAction } from '@beak/decision/test-request'
import { visible } from '@beak/decision/visible'
import { describe, expect, it } from 'vitest'
import { lifetimeChoices, statusBadge, usesAndLimit } from './words'

describe('statusBadge', () => {
  it.each([
    [{ status: 'pending', grant_status: null }, 'Waiting'],
    [{ status: 'expired', grant_status: null }, 'Expired'],
    [{ status: 'cancelled', grant_status: null }, 'Withdrawn'],
    [{ status: 'approved', grant_status: 'active' }, 'Active'],
    [{ status: 'approved', grant_status: 'consumed' }, 'Used'],
    [{ status: 'approved', grant_status: 'revoked' }, 'Revoked'],
  ] as const)('labels %j as %s', (state, label) => {
    expect(statusBadge({ action: 'read:mail', ...state }).label).toBe(label)
  })

  it('labels an approved test request as approved, although its grant has ended', () => {
    const test = { action: testAction, status: 'approved', grant_status: 'expired' } as const
    expect(statusBadge(test).label).toBe('Approved')
  })
})

describe('lifetimeChoices', () => {
  it('offers the requested lifetime and shorter ones, never a longer one', () => {
    expect(lifetimeChoices(7200)).toEqual([
      { value: '', label: '2 hours (as asked)' },
      { value: '3600', label: '1 hour' },
      { value: '300', label: '5 minutes' },
    ])
    expect(lifetimeChoices(60)).toHaveLength(1)
    expect(lifetimeChoices(null).map(({ label }) => label)).toContain('30 days')
  })
})

describe('a text of another person', () => {
  it('keeps its letters, spaces and lines', () => {
    expect(visible('Grüße, 鴨 \n\tيوم')).toBe('Grüße, 鴨 \n\tيوم')
  })

  it('shows characters that change direction, take no space or control a terminal', () => {
    expect(visible('a\u202eb\u200bc\u0007d\ue000')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d⟨U+E000⟩')
  })
})

describe('usesAndLimit', () => {
  it.each([
    [0, 1, 'active', 'Not used yet, single use'],
    [0, null, 'revoked', 'Never used'],
    [1, null, 'active', 'Used once'],
    [3, 5, 'expired', 'Used 3 times, 5 uses at most'],
  ] as const)('describes %i uses of %s of a permission that is %s', (uses, max_uses, grant_status, words) => {
    expect(usesAndLimit({ uses, max_uses, grant_status })).toBe(words)
  })
})
