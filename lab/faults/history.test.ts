import { describe, expect, it } from 'vitest'
import { History, impossibleHistories, type Recorded } from './history'
import { peckModel } from './races'

/** `approve 1-4 done`, `use 2-… unknown` or `read 5-6 approved 0`. */
function calls(...lines: string[]): Recorded[] {
  return lines.map((line) => {
    const [action = '', time = '', ...rest] = line.split(' ')
    const [start, end] = time.split('-')
    const base = { object: 'PECK-1', action, start: Number(start), end: end === '…' ? null : Number(end) }
    return action === 'read'
      ? { ...base, outcome: 'done', seen: rest.join(' ') }
      : { ...base, outcome: rest[0] as Recorded['outcome'] }
  })
}

const verdict = (...lines: string[]) => impossibleHistories(peckModel, calls(...lines)).length === 0

describe('a possible history', () => {
  it.each([
    ['one approval, of two at once', ['approve 1-4 done', 'approve 2-3 refused']],
    ['an approval, a use and a refused use', ['approve 1-2 done', 'use 3-5 done', 'use 4-6 refused']],
    ['a read that sees a decision without an answer', ['approve 1-… unknown', 'read 2-3 approved 0']],
    [
      'a read that does not see a decision without an answer',
      ['approve 1-… unknown', 'read 2-3 pending 0', 'reject 4-5 done'],
    ],
    [
      'a decision without an answer that happens later',
      ['approve 1-… unknown', 'read 2-3 pending 0', 'read 4-5 approved 0'],
    ],
    [
      'a use that is refused because one without an answer was counted',
      ['approve 1-2 done', 'use 3-… unknown', 'use 4-5 refused'],
    ],
    ['a use during its approval', ['approve 1-4 done', 'use 2-3 done']],
  ] as const)('%s', (_what, lines) => {
    expect(verdict(...lines)).toBe(true)
  })
})

// security: host-6
describe('an impossible history', () => {
  it.each([
    ['two decisions', ['approve 1-3 done', 'reject 2-4 done']],
    ['a permission that is used twice', ['approve 1-2 done', 'use 3-5 done', 'use 4-6 done']],
    ['a use without an approval', ['use 1-2 done']],
    ['a use before its approval', ['use 1-2 done', 'approve 3-4 done']],
    ['a use after the permission was revoked', ['approve 1-2 done', 'revoke 3-4 done', 'use 5-6 done']],
    ['an acknowledged decision that is gone', ['approve 1-2 done', 'read 3-4 pending 0']],
    ['an acknowledged use that is gone', ['approve 1-2 done', 'use 3-4 done', 'read 5-6 approved 0']],
    ['a status that goes back', ['approve 1-… unknown', 'read 2-3 approved 0', 'read 4-5 pending 0']],
    ['a refusal although nothing has happened', ['approve 1-2 refused', 'read 3-4 pending 0']],
    ['a use that was refused and counted', ['approve 1-2 done', 'use 3-4 refused', 'read 5-6 approved 1']],
    [
      'two uses, one of them without an answer',
      ['approve 1-2 done', 'use 3-… unknown', 'read 4-5 approved 1', 'use 6-7 done'],
    ],
  ] as const)('%s', (_what, lines) => {
    expect(verdict(...lines)).toBe(false)
  })

  it('is found among the histories of other objects', () => {
    const good = calls('approve 1-2 done').map((call) => ({ ...call, object: 'PECK-2' }))
    expect(impossibleHistories(peckModel, [...good, ...calls('use 3-4 done')])).toEqual([
      'PECK-1: 3–4 use done',
    ])
  })
})

describe('a recorder', () => {
  it('has the order of starts and ends, and no end for a call without an answer', async () => {
    const history = new History()
    const object = 'PECK-1'
    await Promise.all([
      history.record(
        { object, action: 'approve' },
        async () => ({}),
        () => ({ outcome: 'done' }),
      ),
      history.record(
        { object, action: 'use' },
        async () => Promise.reject(new Error('cut')),
        () => ({ outcome: 'done' }),
      ),
      history.record(
        { object, action: 'use' },
        async () => ({}),
        () => ({ outcome: 'unknown' }),
      ),
    ])
    expect(history.calls).toEqual([
      { object, action: 'approve', start: 1, end: 4, outcome: 'done' },
      { object, action: 'use', start: 2, end: null, outcome: 'unknown' },
      { object, action: 'use', start: 3, end: null, outcome: 'unknown' },
    ])
  })
})
