/**
 * The signed words for an action (`verb:object`). The asker chooses the action freely. So only verbs and objects of the lists below become words
 * of the service. Any other action is quoted as it was sent, and cannot look like a sentence of the service.
 */

const verbs = new Set(
  'add approve archive ask book buy call cancel change charge check clone close commit copy create delete deploy destroy disable download draft drop edit email enable erase execute export file fill format grant import install invite join leave like list lock make merge message modify move open order pay post print publish purge push read rebuild refund reject release remove rename renew rent reply report request reserve reset restart restore return review revoke rotate run save schedule search see sell send set share ship sign start stop submit subscribe suspend sync terminate transfer trigger unlock unsubscribe update upgrade upload use verify view wipe withdraw write'.split(
    ' ',
  ),
)

export const listedVerbs = (): string[] => [...verbs]

/** Whether the list of verbs contains the verb. Another first part of an action may be no verb: `database:delete`. */
export const isListedVerb = (verb: string): boolean => verbs.has(verb)

/** Objects that take no article. */
const withoutArticle = new Set(
  'access code content credit data dns email_settings feedback food fuel mail mails media money music news production software stock storage traffic'.split(
    ' ',
  ),
)

/** Objects that take an article. Plurals of these take none. */
const withArticle = new Set(
  'account address agent app appointment archive backup bill book branch bucket calendar card cart certificate channel charge check comment commit contact contract customer dashboard database device document domain draft email employee event file flight folder form group hotel image invitation invoice issue item job key letter license link list listing lock log meeting message model newsletter note notification order page parcel payment permission phone photo post private_key product profile project pull_request record refund release report repository reservation review role room row script secret server service session setting shipment site statement subscription table task team ticket token transaction transfer trip user vehicle version video webhook website wiki workflow'.split(
    ' ',
  ),
)

/** The objects of the lists, and the plurals of those that take an article. */
export const listedObjects = (): string[] => [
  ...withoutArticle,
  ...[...withArticle].flatMap((noun) => [noun, noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`]),
]

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') ? word.slice(0, -1) : word

const startsWithVowel = /^(?!us|uni|eu)[aeiou]/

/** An action of which the lists contain the verb and the object. */
export interface ListedAction {
  verb: string
  /** The object as the lists have it: `pull_request`. */
  noun: string
  /** Whether the object is one thing, which takes an article. */
  isOne: boolean
}

/** Returns the parts of an action, or null when the lists do not contain its verb and object. */
export function listedAction(action: string): ListedAction | null {
  const [verb = '', object = ''] = action.split(':')
  const noun = object.replaceAll('-', '_')
  if (!verbs.has(verb)) return null
  if (withArticle.has(noun)) return { verb, noun, isOne: true }
  const isListed = withoutArticle.has(noun) || (noun.endsWith('s') && withArticle.has(singular(noun)))
  return isListed ? { verb, noun, isOne: false } : null
}

/**
 * Returns a listed action in words: `book:table` is "book a table", `send:mail` is "send mail". A passkey signs these words, so they are in
 * English, and never change. Pages and mails show the words of the table of sentences instead (`shown-action.ts`).
 */
export function listedWords({ verb, noun, isOne }: ListedAction): string {
  const words = noun.replaceAll('_', ' ')
  return isOne ? `${verb} ${startsWithVowel.test(noun) ? 'an' : 'a'} ${words}` : `${verb} ${words}`
}
