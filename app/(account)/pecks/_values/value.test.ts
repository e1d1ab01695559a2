import { expect, it } from 'vitest'
import { foldText } from './value'

it('counts the characters after the first 280, each character once', () => {
  const { start, hidden } = foldText('🦆'.repeat(3692))
  expect(Array.from(start)).toHaveLength(280)
  expect(hidden).toBe(3412)
})

it('shows a text whole when folding would hide only a few characters', () => {
  expect(foldText('a'.repeat(300))).toEqual({ start: 'a'.repeat(300), hidden: 0 })
})
