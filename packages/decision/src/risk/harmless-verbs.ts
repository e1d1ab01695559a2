/** Which words of an action are verbs of something harmless, which act, and which name a thing. */
import { isListedVerb } from '../action-words'
import { close, craftVerbs, places } from './harmless-pairs'
import {
  bookingVerbs,
  computingVerbs,
  deviceNouns,
  draftingVerbs,
  ownNouns,
  planningVerbs,
  readingVerbs,
  switchingVerbs,
  testingVerbs,
} from './harmless-words'
import { outward, paying, setOf, singular, wiring } from './words'

/**
 * What an action does when it is harmless. `read` and `compute` change nothing, `draft` writes a text that nobody gets, `plan` changes lists and
 * the calendar, `switch` a device at home, `book` holds what costs nothing, `test` runs checks of code, `command` runs the command in the params.
 */
export type HarmlessKind =
  | 'read'
  | 'search'
  | 'compute'
  | 'draft'
  | 'plan'
  | 'switch'
  | 'book'
  | 'test'
  | 'command'

export const verbKinds: readonly (readonly [HarmlessKind, ReadonlySet<string>])[] = [
  ['draft', draftingVerbs],
  ['compute', computingVerbs],
  [
    'search',
    setOf(
      'search find lookup browse suche suchen finde cherche chercher recherche trouver busca buscar cerca cercare trova procurar zoek zoeken',
    ),
  ],
  ['read', readingVerbs],
  ['plan', planningVerbs],
  ['switch', switchingVerbs],
  ['test', testingVerbs],
  ['book', bookingVerbs],
]

/** Verbs that do more than a harmless one. */
export const isActing = (word: string): boolean =>
  (isListedVerb(word) && !isVerb(word)) || outward.has(word) || paying.has(word) || wiring.has(word)

export const isVerb = (word: string): boolean =>
  verbKinds.some(([, verbs]) => verbs.has(word)) || craftVerbs.has(word)
export const isThing = (word: string): boolean =>
  ownNouns.has(word) ||
  places.has(word) ||
  deviceNouns.has(word) ||
  close.has(word) ||
  ownNouns.has(singular(word))
