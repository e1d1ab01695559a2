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

  it('says that a rule answered and leads to the rule, without an undo', () => {
    const ruled = { ...approved, reason: 'Approve without asking me: pay', decided_by: { rule_id: 'RULE-1' } }
    const message = (change: object) => outcomeOf({ ...ruled, ...change }, secondsLater(1)).message
    expect(outcomeOf(ruled, secondsLater(1))).toEqual({
      status: 'approved',
      message: 'Your rule approved this. “Approve without asking me: pay”',
      isOwn: false,
      ruleId: 'RULE-1',
    })
    expect(message({ grant_status: 'revoked', reason: null })).toBe(
      'Your rule approved this. The permission was revoked.',
    )
    expect(message({ status: 'rejected', grant_status: null, reason: null })).toBe('Your rule rejected this.')
  })

  it('leads from an undone approval to the request that waits in its place', () => {
    const undone = { ...approved, grant_status: 'revoked', superseded_by: 'PECK-2' }
    expect(outcomeOf(undone, secondsLater(1))).toEqual({
      status: 'undone',
      message: 'You undid this approval. The request came back as a new one.',
      isOwn: false,
      supersededBy: 'PECK-2',
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
