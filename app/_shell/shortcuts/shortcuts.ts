/** All shortcuts of one key: the only source of what the pages bind and of what the help lists. */
import { m } from '@/lib/kernel/messages'
import { type AccountPage, accountPages, shownPages } from '../account-pages'

export interface Shortcut {
  /** The key without Shift, as `KeyboardEvent.key` names it. */
  key: string
  withShift?: boolean
  /** Whether a held key repeats it. Decisions never repeat. */
  repeats?: boolean
  words: () => string
}

/** The shortcuts of the inbox. */
export const inboxShortcuts = {
  next: { key: 'j', repeats: true, words: m.keys_next_request },
  previous: { key: 'k', repeats: true, words: m.keys_previous_request },
  open: { key: 'Enter', words: m.keys_open_request_on_its_own_page },
  approve: { key: 'a', words: m.keys_approve_help },
  reject: { key: 'r', words: m.keys_reject },
  later: { key: 'e', words: m.keys_later_choose_when_to_answer },
  undo: { key: 'u', words: m.keys_undo_last_decision_for_ten_seconds },
  block: { key: 'b', words: m.keys_block_person_behind_request_asks_first },
  select: { key: 'x', words: m.keys_select_one_help },
  selectRange: { key: 'x', withShift: true, words: m.keys_select_range_help },
  selectNext: { key: 'j', withShift: true, repeats: true, words: m.keys_select_this_request_next_one },
  selectPrevious: {
    key: 'k',
    withShift: true,
    repeats: true,
    words: m.keys_select_this_request_previous_one,
  },
  clear: { key: 'Escape', words: m.keys_clear_selection },
  search: { key: '/', words: m.keys_search },
} satisfies Record<string, Shortcut>

/** The shortcuts of every page of the account. */
export const pageShortcuts = {
  go: { key: 'g', words: m.keys_go_page_then_press_its_letter },
  help: { key: '?', words: m.keys_this_help },
} satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof inboxShortcuts | keyof typeof pageShortcuts

const all: Record<ShortcutName, Shortcut> = { ...inboxShortcuts, ...pageShortcuts }

/** Returns the shortcut with this name. */
export const shortcutOf = (name: ShortcutName): Shortcut => all[name]

/** Returns the pages that `g` and a letter lead to. */
export const goPages = (isBuilder: boolean): AccountPage[] => shownPages(accountPages, isBuilder)

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
  return withShift ? m.keys_shift_key({ key: key.toUpperCase() }) : key
}
