/**
 * The words for actions as pages and mails show them, from the table of sentences. In English they are the words that a passkey signs
 * (`action-words.ts`). Only for the server: the table has hundreds of words, which no browser should load.
 */
import { m } from '@/lib/kernel/messages'
import { wantsEmail } from '../profile-request'
import { isTestRequest } from '../test-request'
import { type ListedAction, listedAction } from './action-words'

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

/** Returns an action in words: "send an email". An action that the service does not know is returned in quotation marks. */
export function shownAction(action: string, whose: Whose = 'your'): string {
  if (action === 'read:profile') return profiles[whose]()
  if (isTestRequest({ action })) return m.action_test()
  const listed = listedAction(action)
  return listed === null ? m.action_unlisted({ action }) : wordsOf(listed, false)
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
  if (wantsEmail(action, params)) return isTarget ? m.action_read_your_email() : m.action_read_the_email()
  return shownAction(action, isTarget ? 'your' : 'the')
}

/** Whether the service has words for the action. */
export const isKnownAction = (action: string): boolean =>
  action === 'read:profile' || isTestRequest({ action }) || listedAction(action) !== null

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
