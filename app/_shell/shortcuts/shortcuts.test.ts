import { describe, expect, it } from 'vitest'
import { goPages, inboxShortcuts, isPressed, keysOf, pageShortcuts, type Shortcut } from './shortcuts'

const everything: Shortcut[] = Object.values({ ...inboxShortcuts, ...pageShortcuts })
const press = (key: string, change: object = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...change,
})

describe('the table of shortcuts', () => {
  it('has no key and no letter of a page twice', () => {
    const keys = everything.map(keysOf)
    expect(new Set(keys).size).toBe(keys.length)
    const letters = goPages(true).map(({ letter }) => letter)
    expect(new Set(letters).size).toBe(letters.length)
  })

  it('has the letters of the pages for builders only for builders', () => {
    const lettersOf = (isBuilder: boolean) => goPages(isBuilder).map(({ letter }) => letter)
    expect(lettersOf(true)).toEqual([...lettersOf(false), 'w', 't'])
  })

  it('never repeats a decision while a key is held', () => {
    const { approve, reject, block, undo } = inboxShortcuts
    for (const shortcut of [approve, reject, block, undo] as Shortcut[])
      expect(shortcut.repeats).toBeUndefined()
  })
})

describe('isPressed', () => {
  it.each([
    ['select', press('x'), true],
    ['select', press('X'), true],
    ['select', press('X', { shiftKey: true }), false],
    ['selectRange', press('X', { shiftKey: true }), true],
    ['select', press('x', { ctrlKey: true }), false],
    ['search', press('/', { shiftKey: true }), true],
    ['open', press('Enter', { shiftKey: true }), false],
  ] as const)('for %s with %j is %s', (name, event, expected) => {
    expect(isPressed(inboxShortcuts[name], event)).toBe(expected)
  })
})
