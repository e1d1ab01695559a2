import { describe, expect, it } from 'vitest'
import { decideMessage, enrolMessage, state } from '@/lib/fixtures/approver-messages'
import {
  type ApproverAnswer,
  answerAddress,
  fragmentMax,
  fragmentOf,
  messageAddress,
  readAnswer,
  valueOfFragment,
} from './messages'

const decided: ApproverAnswer = {
  type: 'decided',
  version: 1,
  state,
  credential: { id: 'AAAA', type: 'public-key' },
}

describe('fragments', () => {
  it.each([enrolMessage(), decideMessage(), decideMessage({ params: { text: 'ä 漢 🦆 \u202e' } })])(
    'return the message that was written',
    (message) => {
      const fragment = fragmentOf(message)
      expect(fragment).toMatch(/^[\w-]+$/)
      expect(valueOfFragment(fragment)).toEqual(message)
      expect(valueOfFragment(`#${fragment}`)).toEqual(message)
    },
  )

  it('return undefined when they are too long', () => {
    expect(
      valueOfFragment(fragmentOf({ ...enrolMessage(), duckling_id: 'A'.repeat(fragmentMax) })),
    ).toBeUndefined()
  })

  it('are in the address of the approver', () => {
    expect(messageAddress('https://approve.example', enrolMessage())).toMatch(
      /^https:\/\/approve\.example\/#[\w-]+$/,
    )
  })
})

describe('answers', () => {
  it.each<ApproverAnswer>([
    decided,
    { ...decided, type: 'enrolled' },
    { type: 'cancelled', version: 1, state },
  ])('return to the service as they were written: $type', (answer) => {
    const address = new URL(answerAddress('https://pond.example/approver?peck=1', answer))
    expect(`${address.origin}${address.pathname}${address.search}`).toBe(
      'https://pond.example/approver?peck=1',
    )
    expect(readAnswer(address.hash)).toEqual(answer)
  })

  it.each([
    ['nothing', ''],
    ['no message', '#AAAA'],
    ['a message to an approver', `#${fragmentOf(enrolMessage())}`],
    ['an answer with a member more', `#${fragmentOf({ ...decided, note: '' } as ApproverAnswer)}`],
    ['a decision without a signature', `#${fragmentOf({ ...decided, credential: undefined } as never)}`],
  ])('are null when the fragment has %s', (_, fragment) => {
    expect(readAnswer(fragment)).toBeNull()
  })
})
