/**
 * The words for actions as pages and mails show them, from the table of sentences. In English they are the words that a passkey signs
 * (`packages/decision/src/action-words.ts`). Only for the server: the table has hundreds of words, which no browser should load.
 */

import { type ListedAction, listedAction } from '@beak/decision/action-words'
import { type AskedAction, askedAction } from '@beak/decision/asked'
import { m } from '@/lib/kernel/messages'
import { looksKnown } from './look-alike-action'

/** Whose profile `read:profile` reads, for the person who reads the words. */
type Whose = 'your' | 'their' | 'the'

const profiles = {
  your: m.action_read_your_profile,
  their: m.action_read_their_profile,
  the: m.action_read_the_profile,
} satisfies Record<Whose, () => string>

function wordsOf({ verb, noun }: ListedAction, isNamed: boolean): string {
  const object = { object: noun, words: noun.replaceAll('_', ' ') }
  const what = isNamed ? m.action_the_object(object) : m.action_object(object)
  return m.action_words({ verb, object: noun, doing: m.action_verb({ verb }), what })
}

/** Returns an action in words: "send an email". An action that the service does not know is in quotation marks: “order vegetable box” for `order:vegetable_box`. */
export function shownAction(action: string, whose: Whose = 'your'): string {
  return wordsOfAsked(askedAction(action), whose)
}

function wordsOfAsked(asked: AskedAction, whose: Whose): string {
  switch (asked.kind) {
    case 'profile':
      return profiles[whose]()
    case 'email':
      return whose === 'your' ? m.action_read_email_of_target() : m.action_read_email_of_others()
    case 'test':
      return m.action_test()
    case 'favour':
      return whose === 'your' ? m.action_favour() : m.action_favour_of_others()
    case 'listed':
      return wordsOf(asked, false)
    case 'unlisted':
      return m.action_unlisted({ action: unlistedWords(asked.action) })
  }
}

/** Returns the asker's own words for an action. They keep the colon when they look like words of the service: “send: an email” for `send:an_email`. */
function unlistedWords(action: string): string {
  const words = action.replaceAll('_', ' ')
  const joined = words.replace(':', ' ')
  return looksKnown(joined) ? words.replace(':', ': ') : joined
}

/** Returns an action in words before the name of its object: "delete the database". Null when its object is not one thing. */
export function shownActionBeforeName(action: string): string | null {
  const listed = listedAction(action)
  return listed?.isOne === true ? wordsOf(listed, true) : null
}

/** Returns what a request asks for in words. `isTarget`: the person who reads the words is asked. */
export function shownRequest(
  { action, params }: { action: string; params: Record<string, unknown> },
  isTarget: boolean,
): string {
  return wordsOfAsked(askedAction(action, params), isTarget ? 'your' : 'the')
}

/** Whether the service has words for the action. */
export const isKnownAction = (action: string): boolean => askedAction(action).kind !== 'unlisted'

/** Returns a text with a capital letter at its start. */
export const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Returns the label of an action, which names it everywhere: "Send an email". */
export function actionLabel(action: string, whose?: Whose): string {
  return sentenceCase(shownAction(action, whose))
}

/** Returns the label of an action for the middle of a sentence: "“Send an email”". */
export function quotedAction(action: string, whose?: Whose): string {
  const label = actionLabel(action, whose)
  return isKnownAction(action) ? m.action_quoted({ label }) : label
}
