import { describe, expect, it } from 'vitest'
import { wait } from './form'
import { problemWords } from './page-problem'
import type { Problem } from './problem'

const problem = (fields: Partial<Problem>): Problem => ({
  status: 429,
  code: 'E4004',
  detail: 'Too many requests.',
  action: 'Wait.',
  ...fields,
})

describe('the words for a refused read', () => {
  it('say when to try again after too many requests', () => {
    expect(problemWords(problem({ retry_after: 20 }))).toMatchObject({
      title: 'Too many requests',
      text: expect.stringContaining('Try again in 20 seconds.'),
      next: 'again',
    })
  })

  it('lead to the start of the list when the page marker was changed', () => {
    const errors = [{ field: 'cursor', message: 'is not a cursor' }]
    expect(problemWords(problem({ status: 400, code: 'E4000', errors }))).toMatchObject({
      title: 'This address is not valid',
      text: 'The page marker in it was changed or cut off. Start from the newest.',
      next: 'start',
    })
  })

  it('name the filter that has a wrong value', () => {
    const errors = [{ field: 'tier', message: 'is not a tier' }]
    expect(problemWords(problem({ status: 400, code: 'E4000', errors }))).toMatchObject({
      text: expect.stringContaining('tier'),
      next: 'start',
    })
  })

  it('are missing for problems that the error page shows', () => {
    expect(problemWords(problem({ status: 500, code: 'E5001' }))).toBeNull()
    expect(problemWords(problem({ status: 403, code: 'E4001' }))).toBeNull()
  })
})

describe('the time until the next try', () => {
  it('is in words, in the largest unit that fits', () => {
    expect([1, 20, 600, 7200, 172_800].map(wait)).toEqual([
      'in 1 second',
      'in 20 seconds',
      'in 10 minutes',
      'in 2 hours',
      'in 2 days',
    ])
  })
})
