import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { UsedSentence } from './used-sentence'

it.each([
  [1, 0, 'The last permission for this requester was not used.'],
  [3, 0, 'The last 3 permissions for this requester were not used.'],
  [1, 1, 'The last permission for this requester was used once, last today.'],
  [1, 2, 'The last permission for this requester was used twice, last today.'],
  [3, 1200, 'The last 3 permissions for this requester were used 1,200 times, last today.'],
])('describes %d approvals with %d uses', (approvals, uses, words) => {
  const shown = <UsedSentence approvals={approvals} uses={uses} time={() => 'today'} />
  expect(renderToStaticMarkup(shown)).toBe(words)
})
