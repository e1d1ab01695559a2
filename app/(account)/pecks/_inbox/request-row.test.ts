import { expect, it } from 'vitest'
import { shortTime, timeInWords } from './request-row'

it.each([
  [-5, '<1 min', 'less than a minute'],
  [60, '1 min', '1 minute'],
  [3599, '59 min', '59 minutes'],
  [7200, '2 h', '2 hours'],
  [90_000, '1 d', '1 day'],
])('shows %i seconds as %s', (seconds, short, words) => {
  expect([shortTime(seconds * 1000), timeInWords(seconds * 1000)]).toEqual([short, words])
})
