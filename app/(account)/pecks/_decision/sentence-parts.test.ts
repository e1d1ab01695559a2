import { expect, it } from 'vitest'
import { sentenceParts } from './sentence-parts'

it('splits the sentence of the service after the action', () => {
  expect(sentenceParts('book a table, once, within 1 hour of the approval', true)).toEqual({
    action: 'book a table',
    extent: ', once, within 1 hour of the approval',
  })
})

it('says "your profile" only to the person whose profile it is', () => {
  const sentence = 'read your profile, any number of times until revoked'
  expect(sentenceParts(sentence, true).action).toBe('read your profile')
  expect(sentenceParts(sentence, false).action).toBe('read the profile')
})
