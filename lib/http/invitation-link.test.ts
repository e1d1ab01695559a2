import { expect, it } from 'vitest'
import { invitationForProgram } from './invitation-link'

it.each([
  ['/ask/TOKEN', 'application/json', '/beak/invitation/view?token=TOKEN'],
  ['/ask/TOKEN/', 'application/json', '/beak/invitation/view?token=TOKEN'],
  ['/ask/TOKEN', 'text/html,application/json', null],
  ['/ask/TOKEN', '*/*', null],
  ['/ask/TOKEN/more', 'application/json', null],
  ['/ask/TOKEN%26x=1', 'application/json', null],
])('answers %s with Accept %s from %j', (target, accept, expected) => {
  expect(invitationForProgram(target, accept)).toBe(expected)
})
