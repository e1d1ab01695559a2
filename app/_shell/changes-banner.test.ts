import { expect, it } from 'vitest'
import { changeOnPages } from '@/app/_web/change-words'
import { takeovers } from '@/lib/infrastructure/mail/changes'
import { severalWords } from './changes-banner'

const change = (name: string) => ({
  change: name,
  name: '',
  id: null,
  more: 0,
  at: '2026-11-28T13:09:00.000Z',
  first_day: false,
  session: null,
})

const wordsOf = (kind: string) => changeOnPages(kind).words('')

it('names every change of who can sign in or approve when there are several, and only counts the others', () => {
  for (const first of takeovers)
    for (const second of takeovers.filter((other) => other !== first)) {
      const words = severalWords([first, second, 'webhook_deleted', 'constructor'].map(change))
      expect(words).toBe(`${wordsOf(first)}, ${wordsOf(second)} and 2 others`)
    }
})

it('counts what was changed alike, and names the first change when none is of that kind', () => {
  for (const [names, words] of [
    [['passkey_added', 'passkey_added', 'rule_created'], 'passkey added (2) and 1 other'],
    [['passkey_added', 'phone_changed'], 'passkey added and phone changed'],
    [['rules_weakened', 'rule_created'], `${wordsOf('rules_weakened')} and 1 other`],
  ] as const)
    expect(severalWords(names.map(change))).toBe(words)
})

it('counts the changes that are not listed', () => {
  const left = { ...change('webhook_deleted'), more: 3 }
  expect(severalWords([change('passkey_added'), left])).toBe('passkey added and 4 others')
})
