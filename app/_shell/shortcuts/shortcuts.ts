/** All shortcuts of one key: the only source of what the pages bind and of what the help lists. */
import { type AccountPage, accountPages } from '../account-pages'

export interface Shortcut {
  /** The key without Shift, as `KeyboardEvent.key` names it. */
  key: string
  withShift?: boolean
  /** Whether a held key repeats it. Decisions never repeat. */
  repeats?: boolean
  words: string
}

/** The shortcuts of the inbox. */
export const inboxShortcuts = {
  next: { key: 'j', repeats: true, words: 'Next request' },
  previous: { key: 'k', repeats: true, words: 'Previous request' },
  open: { key: 'Enter', words: 'Open the request on its own page' },
  approve: {
    key: 'a',
    words: 'Approve. For a high risk, this only selects the Approve button: hold or confirm it',
  },
  reject: { key: 'r', words: 'Reject' },
  later: { key: 'e', words: 'Later: choose when to answer' },
  undo: { key: 'u', words: 'Undo the last decision, for ten seconds' },
  block: { key: 'b', words: 'Block the person behind the request. Asks first' },
  select: { key: 'x', words: 'Select the request. With selected requests, a and r ask about all of them' },
  selectRange: { key: 'x', withShift: true, words: 'Select all from the last selected request to this one' },
  selectNext: { key: 'j', withShift: true, repeats: true, words: 'Select this request and the next one' },
  selectPrevious: {
    key: 'k',
    withShift: true,
    repeats: true,
    words: 'Select this request and the previous one',
  },
  search: { key: '/', words: 'Search' },
} satisfies Record<string, Shortcut>

/** The shortcuts of every page of the account. */
export const pageShortcuts = {
  go: { key: 'g', words: 'Go to a page: then press its letter' },
  help: { key: '?', words: 'This help' },
} satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof inboxShortcuts | keyof typeof pageShortcuts

const all: Record<ShortcutName, Shortcut> = { ...inboxShortcuts, ...pageShortcuts }

/** Returns the shortcut with this name. */
export const shortcutOf = (name: ShortcutName): Shortcut => all[name]

/** The pages that `g` and a letter lead to. */
export const goPages: AccountPage[] = [
  ...accountPages,
  { href: '/pecks/grants', label: 'Permissions', hint: '', letter: 'g' },
]

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Whether a pressed key is this shortcut. Caps Lock makes no difference. */
export function isPressed({ key, withShift = false }: Shortcut, event: Key): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const isLetter = /^\p{L}$/u.test(key)
  // Signs such as "?" need Shift on some keyboards and not on others.
  if (!isLetter) return event.key === key && (key.length === 1 || !event.shiftKey)
  return event.key.toLowerCase() === key && event.shiftKey === withShift
}

/** Returns the keys of a shortcut for the help: "Shift X". */
export function keysOf({ key, withShift }: Shortcut): string {
  return withShift ? `Shift ${key.toUpperCase()}` : key
}
