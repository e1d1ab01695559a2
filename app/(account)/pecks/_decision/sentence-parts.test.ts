import { expect, it } from 'vitest'
import { sentenceParts } from './sentence-parts'

it('splits the sentence of the service after the action', () => {
  expect(sentenceParts('book a table, once, within 1 hour of the approval')).toEqual({
    action: 'book a table',
    extent: ', once, within 1 hour of the approval',
  })
})
