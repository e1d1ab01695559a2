/** What the rules of risk read in the words of an action. `hard-delete:database` has the verb words "hard" and "delete". */
import { isListedVerb } from '@/lib/kernel/text/action-words'

const irreversible = new Set(
  'cancel close delete deletion destroy disable drop erase execute overwrite pay purge refund remove reset revoke rm sell terminate transfer truncate wipe withdraw withdrawal'.split(
    ' ',
  ),
)
/** Words for what nobody can take back, and what destroys something or moves money. */
const destructive = new Set(
  'delete deletion destroy drop erase pay payment payout purge rm terminate transaction transfer truncate wipe withdraw withdrawal'.split(
    ' ',
  ),
)
/** Objects that move money, whatever the verb is: `make:payment`. */
const moneyObjects = new Set('payment payout transaction transfer withdrawal'.split(' '))
/** Verbs that leave the action to the object: `run:delete`. */
const emptyVerbs = new Set('call make run start trigger use'.split(' '))
const outward = new Set(
  'comment deploy email export grant invite merge post publish push release reply send share sign submit tweet'.split(
    ' ',
  ),
)
const reading = new Set('check download find get list look read search see verify view watch'.split(' '))

export interface ActionFacts {
  /** The word for what can be hard to undo, and whether it destroys something or moves money. Null: none. */
  irreversible: { word: string; isDestructive: boolean } | null
  /** Whether other people see the result. */
  isOutward: boolean
  isReading: boolean
}

const wordsOf = (text: string) => text.split(/[^a-z0-9]+/).filter((word) => word !== '')

/** Returns what the rules read in an action. */
export function readAction(action: string): ActionFacts {
  const [verb = '', object = ''] = action.toLowerCase().split(':')
  const [verbWords, objectWords] = [wordsOf(verb), wordsOf(object)]
  const isReading = verbWords.every((word) => reading.has(word))
  const decides = isListedVerb(verb) && !emptyVerbs.has(verb)
  const found = [
    ...(decides ? verbWords : [...verbWords, ...objectWords]).filter((word) => irreversible.has(word)),
    ...(isReading
      ? []
      : objectWords.map((word) => word.replace(/s$/, '')).filter((word) => moneyObjects.has(word))),
  ]
  const worst = found.find((word) => destructive.has(word)) ?? found[0]
  return {
    irreversible: worst === undefined ? null : { word: worst, isDestructive: destructive.has(worst) },
    isOutward: verbWords.some((word) => outward.has(word)),
    isReading,
  }
}
