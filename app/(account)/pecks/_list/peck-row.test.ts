import { describe, expect, it } from 'vitest'
import type { Peck } from '../_peck/reads'
import { decidedAt, endOf, lastUse } from './peck-row'

const at = '2026-11-22T18:00:00.000Z'

describe('the facts of a row', () => {
  const peck = (change: Partial<Peck>) =>
    ({
      created_at: at,
      decided_at: null,
      expires_at: 'later',
      last_used_at: null,
      uses: 0,
      ...change,
    }) as Peck
  const details = { grant_revoked_at: at }

  it('say when the request was sent, decided or expired', () => {
    expect(decidedAt(peck({ status: 'pending' }))).toEqual({ word: 'Sent', at })
    expect(decidedAt(peck({ status: 'cancelled', decided_at: 'then' }))).toEqual({
      word: 'Withdrawn',
      at: 'then',
    })
    expect(decidedAt(peck({ status: 'expired' }))).toEqual({ word: 'Expired', at: 'later' })
  })

  it('say how often a permission was used, and when last', () => {
    expect(lastUse(peck({ grant_status: null }))).toBeNull()
    expect(lastUse(peck({ grant_status: 'active' }))).toEqual({ words: 'Not used yet', at: null })
    expect(lastUse(peck({ grant_status: 'active', uses: 3, last_used_at: at }))).toEqual({
      words: 'Used 3 times, last',
      at,
    })
    // Permissions from before the time of use was stored.
    expect(lastUse(peck({ grant_status: 'consumed', uses: 1 }))).toEqual({ words: 'Used once', at: null })
  })

  it.each([
    ['active', 'soon', { words: 'Expires', at: 'soon' }],
    ['active', null, { words: 'Valid until revoked', at: null }],
    ['expired', 'soon', { words: 'Expired', at: 'soon' }],
    ['revoked', 'soon', { words: 'Revoked', at }],
    ['consumed', 'soon', null],
  ] as const)('say when an %s permission ends, with end %s', (grant_status, grant_expires_at, end) => {
    expect(endOf({ action: 'read:mail', grant_status, grant_expires_at }, details)).toEqual(end)
  })
})
