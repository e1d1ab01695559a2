import { describe, expect, it } from 'vitest'
import { nothingUndone, reopenedWords, undoneWords } from './undone'

const again = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `PECK-${place}`, by: `PECK-1${place}` }))
const revoked = (...uses: (number | null)[]) =>
  uses.map((times, place) => ({ id: `PECK-${place}`, uses: times }))

describe('undoneWords', () => {
  it.each([
    [{ again: again(1) }, 'Undone. The request waits again.'],
    [{ again: again(19) }, 'Undone. 19 requests wait again.'],
    [{ revoked: revoked(2) }, "The permission was already used. The request doesn't come back."],
    [{ consumed: ['PECK-9'] }, "The permission was already used. The request doesn't come back."],
    [{ revoked: revoked(0) }, 'The permission was revoked. It was too late to bring the request back.'],
    [{ revoked: revoked(null) }, 'The permission was revoked. It was too late to bring the request back.'],
    [
      { again: again(2), revoked: revoked(0, 1), consumed: ['PECK-8'], failed: ['PECK-9'] },
      "Undone. 2 requests wait again. 2 were already used. Those requests don't come back. The permission was revoked. It was too late to bring the request back. 1 approval could not be undone. Try again, or revoke the permission on the page Allowed.",
    ],
    [
      { failed: ['PECK-8', 'PECK-9'] },
      '2 approvals could not be undone. Try again, or revoke the permissions on the page Allowed.',
    ],
  ])('says of %j: %s', (change, words) => {
    expect(undoneWords({ ...nothingUndone, ...change })).toBe(words)
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
