import { describe, expect, it } from 'vitest'
import { wait } from './form'
import { problemWords } from './page-read'
import type { Problem } from './problem'

const problem = (fields: Partial<Problem>): Problem => ({
  status: 429,
  code: 'E4004',
  reason: 'rate_limited',
  detail: 'Too many requests.',
  action: 'Wait.',
  ...fields,
})

describe('the text for a refused read', () => {
  it('says when to try again after too many requests', () => {
    expect(problemWords(problem({ retry_after: 20 }))).toMatchObject({
      title: 'Too many requests',
      text: expect.stringContaining('Try again in 20 seconds.'),
      next: 'again',
    })
  })

  it('links to the start of the list when the page marker is invalid', () => {
    const errors = [{ field: 'cursor', message: 'is not a cursor' }]
    expect(problemWords(problem({ status: 400, code: 'E4000', errors }))).toMatchObject({
      title: "This address isn't valid",
      text: 'Its page marker was changed or cut off. Start again from the newest entries.',
      next: 'start',
    })
  })

  it('names the filter that has an unknown value', () => {
    const errors = [{ field: 'tier', message: 'is not a tier' }]
    expect(problemWords(problem({ status: 400, code: 'E4000', errors }))).toMatchObject({
      text: expect.stringContaining('tier'),
      next: 'start',
    })
  })

  it('is null for problems that the error page shows', () => {
    expect(problemWords(problem({ status: 500, code: 'E5001' }))).toBeNull()
    expect(problemWords(problem({ status: 403, code: 'E4001' }))).toBeNull()
  })
})

describe('the waiting time', () => {
  it('uses the largest unit that fits', () => {
    expect([1, 20, 600, 7200, 172_800].map(wait)).toEqual([
      'in 1 second',
      'in 20 seconds',
      'in 10 minutes',
      'in 2 hours',
      'in 2 days',
    ])
  })
})
