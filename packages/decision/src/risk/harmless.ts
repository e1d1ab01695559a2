import { remembered } from '../remembered'
import { conceptOf, wordsOf } from './concepts'
import {
  appointments,
  calendars,
  close,
  computed,
  crafts,
  drafted,
  facts,
  pairs,
  places,
  rooms,
  tools,
} from './harmless-pairs'
import { type HarmlessKind, isActing, isThing, isVerb, verbKinds } from './harmless-verbs'
import {
  bookableNouns,
  computingVerbs,
  deviceNouns,
  modifierWords,
  ownNouns,
  plannedNouns,
  publicNouns,
  readingVerbs,
  testableNouns,
} from './harmless-words'
import { outward, paying, setOf, singular, wiring } from './words'

/** Words of verbs that say how: `turn-on`, `look-up`. */
const particles = setOf('on off up down out in all by for my me the a an of to with')

interface Parsed {
  verb: string
  object: string[]
  /** All words in their order. */
  all: string[]
}

/** Finds the verb of an action, whatever the order: `list:events`, `calendar:list_events`, `climate.set_temperature:bath`. Null: it has none. */
const parse = remembered((action): Parsed => {
  const [left = '', right = ''] = action.split(':')
  const [before, after] = [wordsOf(left), wordsOf(right)]
  const all = [...before, ...after]
  const [first = ''] = before
  const [second = ''] = after
  const isDomain = before.every(isThing)
  if (isVerb(first) && !(isDomain && isVerb(second) && !ownNouns.has(second)))
    return { verb: first, object: all.slice(1), all }
  if (isVerb(second)) return { verb: second, object: [...before, ...after.slice(1)], all }
  if (isActing(first) && !isVerb(first)) return { verb: '', object: all, all }
  const at = all.findIndex(isVerb)
  if (at >= 0) return { verb: all[at] ?? '', object: all.filter((_, index) => index !== at), all }
  return { verb: '', object: all, all }
})

const isOneOf = (nouns: ReadonlySet<string>, word: string) => nouns.has(word) || nouns.has(singular(word))
const isFiller = (word: string) => modifierWords.has(word) || particles.has(word) || /^\d{1,2}$/.test(word)

/** Whether each word of an object is harmless, and one of them is the thing itself. */
const consistsOf = (object: string[], ...things: ReadonlySet<string>[]): boolean =>
  object.some((word) => things.some((nouns) => isOneOf(nouns, word))) &&
  object.every((word) => isFiller(word) || things.some((nouns) => isOneOf(nouns, word)))

const pairKind = (words: string[]): HarmlessKind =>
  words.includes('draft')
    ? 'draft'
    : words.some((word) => readingVerbs.has(word) || word === 'report')
      ? 'read'
      : 'plan'
const keyOf = (words: string[]) => [...words].sort().join('-')
const pairKeys = new Set([...pairs].map((pair) => keyOf(pair.split('-'))))

const runners = setOf('bash shell terminal command commands cmd cli zsh sh exec powershell console')
const runVerbs = setOf('run exec execute')

/** A branch of one's own: nothing else changes. */
const gitOnly = setOf('git branch')

const isCraft = (verb: string, object: string[]): boolean =>
  crafts.some(
    ([verbs, things]) =>
      verbs.has(verb) &&
      object.some((word) => things.has(word)) &&
      object.every((word) => things.has(word) || isFiller(word) || gitOnly.has(word)) &&
      !(verb === 'renew' || verb === 'extend' ? !object.some((word) => /librar|biblio/.test(word)) : false),
  )

/** Nouns that are verbs of tools as well: `k8s:scale`. */
const changes = setOf(
  'rate scale roll drain patch process release load mount frame drop link swap stage trigger train register format mask merge fork drill seal split block filter copy tag flush clean reset report act test run print',
)

/** Verbs of reading that are nouns more often. */
const nounsToo = setOf('report status stat profile survey sample record level score plot chart')

/** What a stranger may ask about without a verb: `train:schedule`. */
const timetabled = setOf(
  'train trains tram trams bus buses metro ferry ferries flight flights movie movies cinema cinemas film films concert concerts theatre museum museums weather store shop match league football',
)

/** What is harmless whatever it is about: `mensa-menu`, `download-stats`. */
const plainHeads = setOf(
  'schedule schedules timetable timetables menu menus stats statistics availability hours forecast lessons classes routes arrivals departures',
)

/** Whether the object of a reading verb is such a thing, and nothing before it acts or has a secret. */
const isPlainHead = (object: string[]): boolean =>
  object.length > 1 &&
  plainHeads.has(object.at(-1) ?? '') &&
  object.slice(0, -1).every((word) => /^[a-z]{3,}$/.test(word) && conceptOf(word) === null && !isActing(word))

/** The words of an action of a program that nobody knows: `momoyoga:get_schedule` is `get:schedule`. Null: it is none. */
function withoutProgram(action: string): string | null {
  const [left = '', right = ''] = action.split(':')
  const [name = '', ...more] = wordsOf(left)
  const [verb = '', ...object] = wordsOf(right)
  const isProgram =
    more.length === 0 &&
    /^[a-z]{3,}$/.test(name) &&
    conceptOf(name) === null &&
    !isVerb(name) &&
    !isActing(name) &&
    !isThing(name) &&
    tools[name] === undefined
  return isProgram && isVerb(verb) && object.length > 0 ? `${verb}:${object.join('_')}` : null
}

/** Whether an action without a verb only names things: it is looked up. */
const isLookUp = (all: string[]): boolean => {
  const [first = '', last = ''] = [all[0], all.at(-1)]
  return (
    all.length > 1 &&
    first.length > 2 &&
    !isVerb(first) &&
    !isActing(first) &&
    !all.slice(1, -1).some((word) => (isVerb(word) || isActing(word)) && !isFiller(word)) &&
    !changes.has(last) &&
    !outward.has(last) &&
    !paying.has(last) &&
    !wiring.has(last) &&
    (facts.has(last) || !(isVerb(last) || isActing(last))) &&
    consistsOf([first], ownNouns, places, close, deviceNouns) &&
    consistsOf([last], ownNouns, close, deviceNouns, facts) &&
    consistsOf(all, ownNouns, places, close, deviceNouns, facts)
  )
}

/** What a harmless action does, or null when it is not known to be harmless. Says nothing about the params. */
export function harmlessKind(action: string, isOwn: boolean): HarmlessKind | null {
  return isOwn ? ownKind(action) : strangersKind(action)
}
const ownKind = remembered((action) => {
  const bare = withoutProgram(action)
  return kindOf(action, true) ?? (bare === null ? null : kindOf(bare, true))
})
const strangersKind = remembered((action) => kindOf(action, false))

function kindOf(action: string, isOwn: boolean): HarmlessKind | null {
  const { verb, object, all } = parse(action)
  if (!isOwn) {
    const last = all.at(-1) ?? ''
    if (verb === '' || !readingVerbs.has(verb) || nounsToo.has(verb)) {
      const isFact = facts.has(last) && all.length > 1 && all.slice(0, -1).every((word) => word.length > 2)
      return isFact && all.slice(0, -1).every((word) => timetabled.has(word)) ? 'search' : null
    }
    const isPublic =
      consistsOf(object, publicNouns, publicThings) && !object.some((word) => strangersNever.has(word))
    if (isPublic) return computingVerbs.has(verb) ? 'compute' : 'search'
    return verb === 'ask' && consistsOf(object, questions) ? 'read' : null
  }
  if (all.length > 1 && all.every((word) => runners.has(word) || runVerbs.has(word) || word === 'execute'))
    return all.some((word) => runVerbs.has(word)) ? 'command' : null
  const tool = toolKind(all)
  if (tool !== undefined) return tool
  if (pairKeys.has(keyOf(all))) return pairKind(all)
  if (
    object.some(
      (word) =>
        !isFiller(word) &&
        !places.has(word) &&
        word !== 'run' &&
        word !== 'runs' &&
        ![null, 'do'].includes(conceptOf(word)),
    )
  )
    return null
  if (verb === '') return isLookUp(all) ? 'read' : null
  if (isActing(all[0] ?? '') && !isVerb(all[0] ?? '') && verb !== all[0] && !isThing(all[0] ?? ''))
    return null
  if (object.length === 0 || (verb === 'format' && object.some((word) => storage.has(word)))) return null
  if ((verb === 'write' || verb === 'compose') && object.some((word) => seenByOthers.has(word))) return null
  if (following.has(verb) && object.some((word) => carried.has(word))) return null
  if (isCraft(verb, object)) return 'plan'
  for (const [kind, verbs] of verbKinds) if (verbs.has(verb) && fits(kind, object)) return kind
  return isLookUp(all) ? 'read' : null
}

function toolKind(all: string[]): HarmlessKind | undefined | null {
  const [first = '', ...rest] = all
  const words = tools[first]
  if (words === undefined) return undefined
  if (!words.has(rest.join('-'))) return undefined
  return rest.includes('commit') || rest.includes('create') || rest[0] === 'add' ? 'plan' : 'read'
}

const questions = setOf('question questions clarification opinion choice')
const publicThings = setOf(
  'business crate crates library postcode place places shop store stores geocode status',
)
/** What looks public, and belongs to the person who is asked. */
const strangersNever = setOf('availability order orders team date dates')

/** To follow what somebody carries is to follow the person. */
const following = setOf('track monitor watch trace record')
const carried = setOf('phone mobile smartphone laptop device devices person people car')

/** What is empty once it is formatted. */
const storage = setOf('drive disk disks usb volume stick ssd hdd card partition')

/** To write one of these may publish it. */
const seenByOthers = setOf(
  'review reviews post posts comment comments tweet message status file files code story article blog newsletter',
)

function fits(kind: HarmlessKind, object: string[]): boolean {
  switch (kind) {
    case 'compute':
      return consistsOf(object, ownNouns, plannedNouns, places, computed, close)
    case 'read':
    case 'search':
      return consistsOf(object, ownNouns, places, close, plannedNouns, deviceNouns) || isPlainHead(object)
    case 'draft':
      return consistsOf(object, ownNouns, drafted, places)
    case 'plan':
      return consistsOf(object, plannedNouns, calendars)
    case 'switch':
      return consistsOf(object, deviceNouns, rooms)
    case 'book':
      return consistsOf(object, bookableNouns, appointments)
    case 'test':
      return consistsOf(object, testableNouns, places)
    default:
      return false
  }
}

/** Returns the words of an action with its verb first: `contacts:search` is "search contacts". For patterns that begin with a verb. */
export const verbFirst = remembered((action) => {
  const [left = '', right = ''] = action.split(':')
  const [before, [second = '', ...rest]] = [wordsOf(left), wordsOf(right)]
  return [second, ...before, ...rest].join(' ')
})

/** Whether an action reads, computes or shows something by its verb, whatever its object is. */
export const readsByVerb = remembered((action): boolean => {
  const { verb } = parse(action)
  if (verb === '') return harmlessKind(action, true) !== null
  return readingVerbs.has(verb) || computingVerbs.has(verb)
})
