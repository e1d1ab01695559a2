import { expect, it } from 'vitest'
import { shortened } from './waiting-requests'

it('cuts a list only when at least three items are left', () => {
  expect(shortened([1, 2, 3, 4], 2)).toEqual([1, 2, 3, 4])
  expect(shortened([1, 2, 3, 4, 5], 2)).toEqual([1, 2])
})
