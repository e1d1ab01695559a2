import { describe, expect, it } from 'vitest'
import { type Undone, undoneWords } from './undone'

const revoked = (...uses: (number | null)[]) =>
  uses.map((times, place) => ({ id: `PECK-${place}`, uses: times }))
const undone = (change: Partial<Undone>): Undone => ({ revoked: [], consumed: [], failed: [], ...change })

describe('undoneWords', () => {
  it.each([
    [{ revoked: revoked(0) }, 'Undone. The permission was not used.'],
    [{ revoked: revoked(2) }, "Undone. The permission had already been used. It can't be used again."],
    [{ revoked: revoked(null) }, 'Undone.'],
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
