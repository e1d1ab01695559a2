import { describe, expect, it } from 'vitest'
import { reopenedWords, type Undone, undoneWords } from './undone'

const revoked = (...uses: (number | null)[]) =>
  uses.map((times, place) => ({ id: `PECK-${place}`, uses: times }))
const undone = (change: Partial<Undone>): Undone => ({
  revoked: [],
  consumed: [],
  failed: [],
  reopened: [],
  ...change,
})

describe('undoneWords', () => {
  it.each([
    [{ revoked: revoked(0) }, 'Approval revoked. The permission was not used.'],
    [
      { revoked: revoked(2) },
      "Approval revoked. The permission had already been used. It can't be used again.",
    ],
    [{ revoked: revoked(null) }, 'Approval revoked.'],
    [{ consumed: ['PECK-9'] }, "The permission had already been used. It can't be used again."],
    [{ revoked: revoked(0, 0, 0) }, '3 permissions revoked. None was used.'],
    [
      { revoked: revoked(0, 1), consumed: ['PECK-8'], failed: ['PECK-9'] },
      "2 permissions revoked. 2 had already been used and can't be used again. 1 could not be revoked. Try again, or revoke it on the Permissions page.",
    ],
    [
      { failed: ['PECK-8', 'PECK-9'] },
      '2 could not be revoked. Try again, or revoke them on the Permissions page.',
    ],
  ])('says of %j: %s', (change, words) => {
    expect(undoneWords(undone(change))).toBe(words)
  })
})

describe('reopenedWords', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, place) => `PECK-${place}`)

  it.each([
    ['rejected', [1, 0, 0], 'Undone. The request waits again.'],
    ['rejected', [3, 0, 0], 'Undone. 3 requests wait again.'],
    ['rejected', [0, 1, 0], 'It was too late. The requester has got the answer.'],
    ['rejected', [0, 0, 1], "Not undone. Beak can't be reached, or has not answered. Try again."],
    ['rejected', [2, 1, 0], '2 of 3 requests wait again. For 1 it was too late.'],
    ['snoozed', [0, 1, 0], 'The request has already ended.'],
    ['snoozed', [0, 0, 1], "Not undone. Beak can't be reached, or has not answered. Try again."],
  ] as const)('says of %s requests with %j: %s', (kind, [reopened, late, failed], words) => {
    const outcome = { reopened: ids(reopened), late: ids(late), failed: ids(failed) }
    expect(reopenedWords(kind, outcome)).toBe(words)
  })
})
