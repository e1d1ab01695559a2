import { describe, expect, it } from 'vitest'
import { changesBetween, differenceOf, type Snapshot } from './same-rows'

const session = 'SES-01M8FEF39B6NS5E1YN29NGP7C3'

/** Returns a snapshot of one table. */
const snapshotOf = (table: string, rows: Record<string, Record<string, unknown>>): Snapshot =>
  new Map([[table, new Map(Object.entries(rows))]])

describe('changesBetween', () => {
  it('names added rows by the columns that are not null', () => {
    const after = snapshotOf('Session', { a: { id: session, ip: null, amr: ['otp'] } })
    expect(changesBetween(new Map(), after, 'x')).toEqual(['+ Session {"id":"<id>","amr":["otp"]}'])
  })

  it('names changed rows by the columns that changed, and by how much a number changed', () => {
    const before = snapshotOf('OtpGuard', { a: { subject: session, tries: 1, failures: 0 } })
    const after = snapshotOf('OtpGuard', { a: { subject: session, tries: 2, failures: 0 } })
    expect(changesBetween(before, after, 'x')).toEqual(['~ OtpGuard {"tries":"+1"}'])
  })

  it('reports removed rows and ignores unchanged rows', () => {
    const before = snapshotOf('Outbox', { a: { id: 1 }, b: { id: 2 } })
    const after = snapshotOf('Outbox', { b: { id: 2 } })
    expect(changesBetween(before, after, 'x')).toEqual(['- Outbox'])
  })

  it('compares times, addresses, digests and secrets by their form', () => {
    const row = (email: string, at: string, byte: string) => ({ email, at, hash: `\\x${byte.repeat(32)}` })
    const lines = (run: string, row: Record<string, unknown>) =>
      changesBetween(new Map(), snapshotOf('Duckling', { a: row }), run)
    const one = lines('one', row('p0-one@example.test', '2026-11-27T21:27:01.5+00:00', 'ab'))
    const other = lines('two', row('p1-two@example.test', '2026-11-28T01:07:02+00:00', '0f'))
    expect(one).toEqual(['+ Duckling {"email":"<email>","at":"<time>","hash":"<32 bytes>"}'])
    expect(other).toEqual(one)
  })
})

it.each([
  ['trust tier', { trustTier: 'T0' }, { trustTier: 'T1' }],
  ['number of uses', { uses: 1 }, { uses: 2 }],
])('reports another %s', (_, beak, byHand) => {
  const linesOf = (row: Record<string, unknown>) =>
    changesBetween(new Map(), snapshotOf('Peck', { a: row }), 'x')
  expect(differenceOf(linesOf(byHand), linesOf(beak))).not.toBeNull()
})

describe('differenceOf', () => {
  it('returns null for the same lines', () => {
    expect(differenceOf(['a', 'b', 'b'], ['a', 'b', 'b'])).toBeNull()
  })

  it('shows the lines that only one list has, even when a line is there twice', () => {
    expect(differenceOf(['a', 'b', 'b'], ['b', 'c'])).toBe('only by hand: a\nonly by hand: b\nonly Beak: c')
  })
})
