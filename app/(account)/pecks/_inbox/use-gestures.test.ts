import { describe, expect, it } from 'vitest'
import type { InboxRow } from './rows'
import { forwardOf } from './use-gestures'

const row = (change: Partial<InboxRow>) =>
  ({
    risk: 'low',
    isFirstContact: false,
    isFreeText: false,
    costsRepeatedly: false,
    isAsBefore: false,
    needsPasskey: false,
    ...change,
  }) as InboxRow
const viewer = { require_passkey_for_pecks: false }

describe('forwardOf', () => {
  it('approves a low risk, and a medium one that is as before', () => {
    expect(forwardOf(row({}), viewer)).toBe('approve')
    expect(forwardOf(row({ risk: 'medium', isAsBefore: true }), viewer)).toBe('approve')
    expect(forwardOf(row({ isAsBefore: true, costsRepeatedly: true }), viewer)).not.toBe('approve')
  })

  // security: asker-38
  it('opens a high risk, a first request, one that needs a passkey, and a medium risk that is not as before', () => {
    for (const change of [
      { risk: 'high', isAsBefore: true },
      { isFirstContact: true },
      { needsPasskey: true },
      { risk: 'medium' },
    ] as const)
      expect(forwardOf(row(change), viewer)).toBe('open')
    expect(forwardOf(row({}), { require_passkey_for_pecks: true })).toBe('open')
  })
})
