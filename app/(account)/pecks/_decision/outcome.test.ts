import { describe, expect, it } from 'vitest'
import { outcomeOf, undoneMessage } from './outcome'

const decided = '2027-01-01T10:00:00.000Z'
const secondsLater = (seconds: number) => new Date(Date.parse(decided) + seconds * 1000)
const approved = { status: 'approved', grant_status: 'active', reason: null, decided_at: decided }

describe('outcomeOf', () => {
  it('offers to undo an approval for the rest of ten seconds', () => {
    expect(outcomeOf(approved, secondsLater(3)).undoSeconds).toBe(7)
    expect(outcomeOf(approved, secondsLater(10)).undoSeconds).toBeUndefined()
  })

  it('offers no undo for a used permission and for a rejection', () => {
    expect(outcomeOf({ ...approved, grant_status: 'consumed' }, secondsLater(1)).undoSeconds).toBeUndefined()
    const rejected = { ...approved, status: 'rejected', grant_status: null, reason: 'Not now' }
    expect(outcomeOf(rejected, secondsLater(1))).toEqual({
      status: 'rejected',
      message: 'You rejected this request. Reason: “Not now”',
      isOwn: false,
    })
  })

  it('says that an approval was revoked', () => {
    expect(outcomeOf({ ...approved, grant_status: 'revoked' }, secondsLater(1)).status).toBe('undone')
  })
})

describe('undoneMessage', () => {
  it.each([
    [0, 'Approval revoked. The permission was not used.'],
    [1, "The permission had already been used once. It can't be used again."],
    [3, "The permission had already been used 3 times. It can't be used again."],
  ])('says for %i uses: %s', (uses, message) => {
    expect(undoneMessage(uses)).toBe(message)
  })
})
