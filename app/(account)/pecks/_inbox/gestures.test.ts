import { describe, expect, it } from 'vitest'
import { meaningOf, swipeAt } from './gestures'

describe('swipeAt', () => {
  const all = { forward: 'approve', hasLater: true } as const

  it.each([
    [0, null],
    [79, null],
    [80, 'approve'],
    [300, 'approve'],
    [-79, null],
    [-80, 'reject'],
    [-191, 'reject'],
    [-192, 'later'],
  ] as const)('at %d of 320 pixels returns %s', (distance, action) => {
    expect(swipeAt(distance, 320, all)).toBe(action)
  })

  it('opens a request that only its page may approve, and rejects where nothing can be put off', () => {
    const few = { forward: 'open', hasLater: false } as const
    expect(swipeAt(320, 320, few)).toBe('open')
    expect(swipeAt(-320, 320, few)).toBe('reject')
  })
})

describe('meaningOf', () => {
  it('leaves a slanted move to the browser, which scrolls', () => {
    expect(meaningOf(5, 5)).toBeNull()
    expect(meaningOf(11, 5)).toBe('swipe')
    expect(meaningOf(-40, 19)).toBe('swipe')
    expect(meaningOf(20, 11)).toBe('scroll')
    expect(meaningOf(0, -11)).toBe('scroll')
  })
})
