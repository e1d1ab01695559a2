import { expect, it } from 'vitest'
import { duration } from './duration'

it.each([
  [60, '1 minute'],
  [61, '61 seconds'],
  [5400, '90 minutes'],
  [3600, '1 hour'],
  [86_400, '24 hours'],
  [172_800, '2 days'],
])('describes %i seconds as %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words)
})
