import { actionForm } from '@beak/decision/action-form'
import { listedObjects, listedVerbs } from '@beak/decision/action-words'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isKnownAction, quotedAction, shownAction, shownActionBeforeName } from './shown-action'

/** What somebody sees who overlooks quotation marks, capital letters, small words and the difference between 1 and l, but no colon. */
const seen = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9:]+/g, ' ')
    .replace(/\b(?:an?|the|your|their|you|and) /g, '')
    .replaceAll('rn', 'm')
    .replace(/[1i]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('3', 'e')
    .replaceAll('4', 'a')
    .replaceAll('5', 's')
    .trim()

const verbs = listedVerbs()
const listed = verbs.flatMap((verb) => listedObjects().map((object) => `${verb}:${object}`))
const known = [...listed, 'read:profile', 'test:request', 'ask:favour']
const knownLooks = new Set(
  known.flatMap((action) => [shownAction(action), shownActionBeforeName(action) ?? '']).map(seen),
)

/** Actions that try to look like a known one: its words with other signs between them, another place of the colon, and other letters. */
const forgeries = fc
  .record({
    words: fc.constantFrom(...known).map((action) => shownAction(action).split(' ')),
    colon: fc.nat(5),
    signs: fc.array(fc.constantFrom('_', '-', '.', '/', '*', '__'), { minLength: 9, maxLength: 9 }),
    small: fc.constantFrom('', 'a', 'an', 'the', 'your', 'you'),
    letters: fc.constantFrom(
      ...([
        ['', ''],
        ['l', '1'],
        ['i', '1'],
        ['o', '0'],
        ['m', 'rn'],
        ['e', '3'],
        ['a', '4'],
        ['s', '5'],
      ] as const),
    ),
  })
  .map(({ words, colon, signs, small, letters: [letter, sign] }) => {
    const all = small === '' ? words : [words[0] ?? '', small, ...words.slice(1)]
    const at = Math.min(colon, all.length - 2)
    return all
      .map(
        (word, index) => word + (index === all.length - 1 ? '' : index === at ? ':' : (signs[index] ?? '')),
      )
      .join('')
      .replaceAll(letter === '' ? '\0' : letter, sign)
  })
  .filter((action) => actionForm.test(action) && !isKnownAction(action))

const freely = fc
  .tuple(fc.constantFrom(...verbs, 'status', 'train'), fc.stringMatching(/^[a-z][a-z0-9_.*/-]{0,20}$/))
  .map(([verb, object]) => `${verb}:${object}`)
  .filter((action) => !isKnownAction(action))

describe('an action without words of the service', () => {
  it('is in quotation marks and never looks like a known action', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: forgeries }, freely), (action) => {
        const words = shownAction(action)
        expect(words).toMatch(/^“[^“”]+”$/)
        expect(quotedAction(action)).toBe(words)
        expect(knownLooks).not.toContain(seen(words))
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['read:status', '“read status”'],
    ['book:train', '“book train”'],
    ['cancel:class', '“cancel class”'],
    ['wipe:everything.now', '“wipe everything.now”'],
    ['send:an_email', '“send: an email”'],
    ['send:emai1', '“send: emai1”'],
    ['send_an:email', '“send an: email”'],
    ['create_pull:request', '“create pull: request”'],
    ['read:your_profile', '“read: your profile”'],
    ['send_you_a:test_request', '“send you a: test request”'],
    ['ask:a-favour', '“ask: a-favour”'],
  ])('shows %s as %s', (action, words) => {
    expect(shownAction(action)).toBe(words)
  })
})
