import { expect, it } from 'vitest'
import { blockedWords, revokedWords, unblockedWords } from './outcome-words'

const uses = (...counts: number[]) => counts.map((count) => ({ uses: count }))

it.each([
  [uses(), false, 'No permission was active any more.'],
  [uses(0), false, '1 permission revoked. It had not been used.'],
  [uses(2), false, '1 permission revoked. It had been used.'],
  [uses(0, 3), false, '2 permissions revoked. 1 of them had been used.'],
  [uses(1, 3), false, '2 permissions revoked. All of them had been used.'],
  [uses(0, 0), true, '2 permissions revoked. None of them had been used. There are more: revoke again.'],
])('says how many permissions were revoked, and which had been used: %j', (revoked, hasMore, words) => {
  expect(revokedWords(revoked, hasMore)).toBe(words)
})

it('says how many requests a block hid, and how many came back', () => {
  expect(blockedWords(0)).toBe('Blocked. Their requests no longer reach you.')
  expect(blockedWords(1)).toBe('Blocked. Their requests no longer reach you. 1 waiting request was hidden.')
  expect(unblockedWords(2)).toBe('Unblocked. Their requests reach you again. 2 waiting requests are back.')
})
