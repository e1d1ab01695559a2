/** What the rules of risk read in the words of an action. `hard-delete:database` has the verb words "hard" and "delete". */

import { isListedVerb } from '../action-words'
import { remembered } from '../remembered'
import * as words from './words'
import { singular } from './words'

export interface ActionFacts {
  /** The word for what destroys something, or can be hard to undo. Null: none. */
  irreversible: { word: string; isDestructive: boolean } | null
  /** Whether the action pays, and whether it moves money of its own accord, so that a missing amount means any amount. */
  pays: { isTransfer: boolean } | null
  /** The word for access, a role, ownership or an open door that the action gives to somebody. */
  control: string | null
  /** The word for a password, a token or a key that the action gives away or changes. */
  secret: string | null
  /** The word for a safeguard that the action removes or passes by. */
  safeguard: string | null
  /** The word for what concerns a person closely. */
  sensitive: string | null
  isProduction: boolean
  /** Whether other people see the result. */
  isOutward: boolean
  /** Whether the action hands something out, such as access. */
  isGiving: boolean
  /** Whether the action is known to change nothing. */
  isHarmless: boolean
  /** Whether the action changes what is there, such as a password. */
  isChange: boolean
  /** The words of the verb and of the object, without accents. */
  named: { verb: string[]; object: string[] }
  /** Whether its params are texts for people, or what a program runs. */
  texts: 'sending' | 'running' | 'other'
}

const riskVerbs = new Set([
  ...words.destroying,
  ...words.clearing,
  ...words.removing,
  ...words.paying,
  ...words.wiring,
  ...words.controlling,
])
const nouns = new Set([
  ...words.valuable,
  ...words.money,
  ...words.secrets,
  ...words.control,
  ...words.people,
  'all',
  'bill',
  'branch',
  'funds',
  'invoice',
  'rf',
  'trash',
])
const prefixes = new Set('auto batch bulk force hard mass multi quick send soft'.split(' '))
/** Verbs that begin no other word than their own forms. */
const longVerbs = [...riskVerbs].filter((verb) => verb.length > 5)
const verbForms = new Set(['d', 'r', 'rs', 'ed'])

/** Splits words that an asker wrote together: "deletedatabase", "forcedelete". Any other word stays whole. */
function split(word: string): string[] {
  if (riskVerbs.has(word) || nouns.has(singular(word))) return [word]
  for (let at = 2; at < word.length - 1; at += 1) {
    const [left, right] = [word.slice(0, at), word.slice(at)]
    if (riskVerbs.has(left) && (nouns.has(right) || nouns.has(singular(right)))) return [left, right]
    if (prefixes.has(left) && (riskVerbs.has(right) || words.money.has(right))) return [left, right]
  }
  const verb = longVerbs.find((long) => word.startsWith(long) && !verbForms.has(word.slice(long.length)))
  return verb === undefined ? [word] : [verb, word.slice(verb.length)]
}

const wordsOf = (text: string) => text.split(/[^a-z0-9]+/).flatMap((word) => (word === '' ? [] : split(word)))

interface Parts {
  verb: string[]
  object: string[]
  /** The object in singular: `drop:tables`. */
  nouns: string[]
  /** The words of the verb, and the words of the object when the verb leaves the action to it. */
  acting: string[]
  /** Whether each word of the verb only reads. */
  isReading: boolean
}

function partsOf(action: string): Parts {
  // To drop off a parcel drops nothing.
  const [verbText = '', objectText = ''] = words
    .folded(action)
    .replace('drop-off', 'dropoff')
    .replace('drop_off', 'dropoff')
    .split(':')
  const [verb, object] = [wordsOf(verbText), wordsOf(objectText)]
  const decides = verb.some(
    (word) =>
      !words.emptyVerbs.has(word) &&
      (isListedVerb(word) || riskVerbs.has(word) || words.harmless.has(word) || words.outward.has(word)),
  )
  return {
    verb,
    object,
    nouns: object.map(singular),
    acting: decides ? verb : [...verb, ...object],
    isReading: verb.length > 0 && verb.every((word) => words.harmless.has(word)),
  }
}

const firstIn = (list: string[], set: ReadonlySet<string>): string | null =>
  list.find((word) => set.has(word)) ?? null
const hasAny = (list: string[], set: ReadonlySet<string>) => firstIn(list, set) !== null

/** Returns what the rules read in an action. */
export const readAction = remembered((action): ActionFacts => {
  const parts = partsOf(action)
  const { verb, object, nouns: things, isReading } = parts
  return {
    irreversible: isReading ? null : destruction(parts),
    pays: isReading ? null : payment(parts),
    control: isReading ? null : givenControl(parts),
    secret: givenSecret(parts),
    safeguard: isReading ? null : lostSafeguard(parts),
    sensitive: firstIn(things, words.sensitive) ?? firstIn(things, words.secrets),
    isProduction: hasAny([...verb, ...object], words.production) || isLive(object),
    isOutward: hasAny(verb, words.outward),
    isGiving: hasAny(verb, words.admitting),
    isHarmless: isReading && !hasAny(object, words.destroying) && !hasAny(things, transfers),
    isChange: hasAny(verb, words.replacing),
    named: { verb, object },
    texts: textKind(parts),
  }
})

function textKind({ verb, nouns: things }: Parts): ActionFacts['texts'] {
  if (hasAny(verb, words.running) || hasAny(things, words.runnable)) return 'running'
  if (hasAny(verb, words.writing)) return 'sending'
  return hasAny(verb, words.changing) && hasAny(things, words.texts) ? 'sending' : 'other'
}

function isLive(object: string[]): boolean {
  const at = object.indexOf('live')
  const next = object[at + 1]
  return at >= 0 && (next === undefined || words.liveParts.has(singular(next)))
}

function destruction({ verb, object, nouns: things, acting }: Parts): ActionFacts['irreversible'] {
  const isWorth = hasAny(things, words.valuable)
  const destroying = firstIn(acting, words.destroying)
  if (destroying !== null) {
    const isSmall = words.small.has(object.at(-1) ?? '') && !isWorth
    return { word: destroying, isDestructive: !isSmall }
  }
  const clearing = firstIn(acting, words.clearing)
  if (clearing !== null)
    return { word: clearing, isDestructive: isWorth || !words.clearable.has(things.at(-1) ?? '') }
  const removing = firstIn(acting, words.removing)
  if (removing !== null) return { word: removing, isDestructive: isWorth }
  const named = firstIn(object, words.destroying)
  if (named !== null) return { word: named, isDestructive: !hasAny(verb, words.preventing) }
  const hard = firstIn(acting, words.hardToUndo)
  if (hard === null) return null
  const isEnd = (hard === 'close' || hard === 'cancel') && things.includes('account')
  return { word: hard, isDestructive: isEnd }
}

/** Money as the last word of the object: `send:payment`, and not `send:payment-reminder`. */
const transfers: ReadonlySet<string> = new Set(
  'payment payout remittance transaction transfer withdrawal'.split(' '),
)
const askingVerbs = new Set('dispute request'.split(' '))

function payment({ verb, object, nouns: things, acting }: Parts): ActionFacts['pays'] {
  const last = things.at(-1) ?? ''
  const isMoney = hasAny([last, ...object.slice(-1), ...verb.slice(1)], words.money)
  const wiring = firstIn(acting, words.wiring)
  if (wiring !== null && (!/^(transfer|withdraw)/.test(wiring) || hasAny(things, words.money)))
    return { isTransfer: true }
  if (isMoney && hasAny(acting, words.moving)) return { isTransfer: true }
  const isPrevented = hasAny(verb, words.preventing) || hasAny(verb, askingVerbs)
  if (transfers.has(last) && !isPrevented) return { isTransfer: true }
  return hasAny(acting, words.paying) || (isMoney && !isPrevented) ? { isTransfer: false } : null
}

function givenControl({ verb, nouns: things, acting }: Parts): string | null {
  const controlling = firstIn(acting, words.controlling)
  if (controlling !== null) return controlling
  if (hasAny(acting, words.giving)) {
    const given = firstIn(things, words.control)
    if (given !== null) return given
  }
  if (verb.includes('promote')) return firstIn(things, words.people)
  if (verb.includes('transfer')) return firstIn(things, words.transferable)
  return hasAny(verb, new Set(['open', 'unlock', 'disarm'])) ? firstIn(things, words.doors) : null
}

function givenSecret({ verb, object, nouns: things }: Parts): string | null {
  if (verb.every((word) => words.harmlessToSecrets.has(word))) return null
  if (things.includes('key') && hasAny(verb, words.handingOut)) return 'key'
  const pairs = things.map((thing, index) => `${object[index - 1] ?? ''}_${thing}`)
  return firstIn(things, words.secrets) ?? firstIn(pairs, words.secretPairs)?.replace('_', ' ') ?? null
}

function lostSafeguard({ verb, object, nouns: things }: Parts): string | null {
  const forcing = firstIn([...verb, ...object], words.forcing)
  if (forcing !== null) return forcing
  return hasAny(verb, words.turningOff) || verb.includes('off') ? firstIn(things, words.safeguards) : null
}
