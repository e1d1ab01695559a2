import { describe, expect, it } from 'vitest'
import { statementOf3 } from '@/lib/fixtures/receipt-maker'
import { contradictionBetween } from './contradiction'
import type { AnyFacts } from './policy'
import type { OutcomeFacts } from './verify-outcome'

/** Returns the facts of a receipt, as far as they are compared. */
function facts(change: Partial<OutcomeFacts> = {}, statement: Parameters<typeof statementOf3>[0] = {}) {
  return {
    version: 3,
    outcome: 'approved',
    statement: statementOf3(statement),
    issuer: 'https://pond.example',
    decidedAt: '2026-09-22T14:13:20.000Z',
    endedAt: null,
    uses: 0,
    lastUsedAt: null,
    signedAt: '2026-09-22T15:00:00.000Z',
    ...change,
  } as AnyFacts
}

const later = '2026-09-22T16:00:00.000Z'
const used = { uses: 1, lastUsedAt: '2026-09-22T14:20:00.000Z' }
const revoked = { outcome: 'revoked', endedAt: '2026-09-22T14:30:00.000Z' } as const

describe('contradictionBetween', () => {
  it.each<[string, AnyFacts, AnyFacts]>([
    ['the same receipt', facts(), facts()],
    ['a use after the approval', facts(), facts({ ...used, signedAt: later })],
    ['a revocation after the approval', facts(used), facts({ ...used, ...revoked, signedAt: later })],
    ['another request', facts(), facts({ outcome: 'rejected' }, { decision: 'reject', peck_id: 'PECK-2' })],
    [
      'another service',
      facts(),
      facts({ outcome: 'rejected', issuer: 'https://b.example' }, { decision: 'reject' }),
    ],
  ])('finds none with %s', (_, one, other) => {
    expect(contradictionBetween(one, other)).toBeNull()
    expect(contradictionBetween(other, one)).toBeNull()
  })

  it.each<[string, AnyFacts, AnyFacts, string]>([
    [
      'a rejection as an approval',
      facts(),
      facts({ outcome: 'rejected' }, { decision: 'reject' }),
      'rejected',
    ],
    ['a decision dated anew', facts(), facts({ decidedAt: later, signedAt: later }), 'decided at'],
    [
      'another statement',
      facts(),
      facts({ signedAt: later }, { nonce: 'another' }),
      'two different statements',
    ],
    ['a use that was taken back', facts(used), facts({ signedAt: later }), 'was used 1 times'],
    [
      'a use dated anew',
      facts(used),
      facts({ uses: 1, lastUsedAt: '2026-09-22T14:21:00.000Z', signedAt: later }),
      'use 1 was at',
    ],
    ['a revocation that was taken back', facts(revoked), facts({ signedAt: later }), 'was revoked at'],
    [
      'an expired request that was cancelled',
      facts({ outcome: 'expired', decidedAt: null }, { decision: null }),
      facts({ outcome: 'cancelled', decidedAt: null, signedAt: later }, { decision: null }),
      'It was expired',
    ],
  ])('finds %s, in any order', (_, one, other, text) => {
    expect(contradictionBetween(one, other)).toContain(text)
    expect(contradictionBetween(other, one)).toContain(text)
  })
})
