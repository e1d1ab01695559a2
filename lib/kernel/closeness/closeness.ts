/**
 * Whether a request is close to an exception: a rule that rejects or asks. An approving rule compares strictly, because a miss only asks the
 * person. A miss of an exception can reach a rule that approves, so what an agent can write in another way is compared loosely (docs/rules.md).
 * The strict comparison is in the judge, which verifiers share. The service alone needs this one.
 */
import { compareWithBound } from '@beak/proofs/rules/bounds'
import { type JudgedRequest, satisfies } from '@beak/proofs/rules/judge'
import { readMoney } from '@beak/proofs/rules/money'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'
import { plainForm } from '@/lib/kernel/text/same-look'
import {
  isClose,
  isOfSameKind,
  isSameName,
  type Leaf,
  leavesOf,
  mayBeEarlier,
  numbersIn,
  type Reading,
  readingOf,
  spansIn,
} from './leaves'
import { fileParts, hostLook, mailsIn, webIn } from './places'

type Params = JudgedRequest['params']
type Bound = string | number

/** A param of a request, as one constraint sees it. */
interface Site {
  name: string
  value: unknown
  leaves: readonly Leaf[]
  /** `same`: it has the name of the constraint, in some spelling. `kind`: its name can stand for that name. */
  relation: 'same' | 'kind' | 'other'
  beside: unknown
  read: (leaf: Leaf) => Reading
}

function relationOf(names: ReadonlySet<string>, wanted: string): Site['relation'] {
  if (names.has(wanted) || [...names].some((name) => isSameName(name, wanted))) return 'same'
  return [...names].some((name) => isOfSameKind(name, wanted)) ? 'kind' : 'other'
}

/** The readings of values of rules, which many requests are compared with. */
const kept = new Map<string, readonly Reading[]>()
const keptMax = 1000

function wantedReadings(wanted: unknown): readonly Reading[] {
  const key = JSON.stringify(wanted)
  const readings = kept.get(key) ?? leavesOf('', wanted).map(readingOf)
  if (kept.size >= keptMax) kept.clear()
  kept.set(key, readings)
  return readings
}

/** Tells whether a value holds everything that is in a wanted one. Of another param only what names somebody or something counts. */
function isSpelling({ leaves, relation, read, value }: Site, wanted: unknown): boolean {
  const parts = wantedReadings(wanted)
  if (parts.length === 0) return relation === 'same' && leaves.length === 0 && value !== undefined
  return parts.every((part) => leaves.some((leaf) => isClose(read(leaf), part, relation === 'other')))
}

function boundsOf(constraint: Constraint): { low?: Bound; high?: Bound } | null {
  if ('at_most' in constraint) return { high: constraint.at_most }
  if ('at_least' in constraint) return { low: constraint.at_least }
  if (!('between' in constraint)) return null
  const [low, high] = constraint.between
  return { low, high }
}

/** Returns the number of a bound, in the unit of its currency. Null for a day or a time. */
function sizeOf(bound: Bound): number | null {
  if (typeof bound === 'number') return bound
  return readMoney(bound) === null ? null : (numbersIn(bound)[0] ?? null)
}

/** Tells whether a value may lie within bounds, or cannot be compared with them. Currencies are not converted: the number counts. */
function mayBeWithin(
  { value, leaves, relation, beside }: Site,
  { low, high }: { low?: Bound; high?: Bound },
) {
  if (relation === 'other') return false
  const bounds = [low, high].filter((bound) => bound !== undefined)
  const compared = bounds.map((bound) => compareWithBound(value, beside, bound))
  if (!compared.includes(null))
    return (
      (low === undefined || Number(compared[0]) >= 0) && (high === undefined || Number(compared.at(-1)) <= 0)
    )
  const texts = leaves.flatMap(({ value: one }) => (typeof one === 'boolean' ? [] : [String(one)]))
  const [least, most] = [low, high].map((bound) => (bound === undefined ? undefined : sizeOf(bound)))
  if (least === null || most === null) {
    const spans = texts.flatMap(spansIn)
    const [from] = low === undefined ? [] : spansIn(String(low))
    const [until] = high === undefined ? [] : spansIn(String(high))
    const isInside = spans.some(
      (span) =>
        (from === undefined || mayBeEarlier(from, span)) &&
        (until === undefined || mayBeEarlier(span, until)),
    )
    return isInside || (spans.length === 0 && texts.length > 0 && relation === 'same')
  }
  const sizes = texts.flatMap(numbersIn)
  const isInside = sizes.some((size) => size >= (least ?? -Infinity) && size <= (most ?? Infinity))
  return isInside || (sizes.length === 0 && texts.length > 0 && relation === 'same')
}

function isAtDomain({ leaves, relation }: Site, domain: string): boolean {
  if (relation === 'other') return false
  const wanted = hostLook(domain)
  const hosts = leaves.flatMap(({ value }) => {
    const text = plainForm(String(value))
    return [...mailsIn(text), ...webIn(text)].map(({ host }) => host)
  })
  return hosts.some((host) => host === wanted || host.endsWith(`.${wanted}`))
}

/** Tells whether a path may be a folder or below it. Of another param only absolute ones count. */
function isInFolder({ leaves, relation }: Site, folder: string): boolean {
  const above = fileParts(folder)
  return leaves.some(({ value }) => {
    const text = String(value)
    if (relation !== 'same' && !/^(?:file:|[a-z]:)?[/\\]/i.test(text)) return false
    const parts = fileParts(text)
    return above.every((part, at) => parts[at] === part)
  })
}

function holds(site: Site, constraint: Constraint): boolean {
  if ('equals' in constraint) return isSpelling(site, constraint.equals)
  if ('one_of' in constraint) return constraint.one_of.some((one) => isSpelling(site, one))
  if ('unchanged' in constraint) return isSpelling(site, constraint.unchanged)
  if ('domain' in constraint) return isAtDomain(site, constraint.domain)
  if ('path_below' in constraint) return isInFolder(site, constraint.path_below)
  const bounds = boundsOf(constraint)
  return bounds === null || mayBeWithin(site, bounds)
}

/** A param of a request with its values, each of which is read once. */
type Field = Pick<Site, 'name' | 'value' | 'leaves' | 'read'>

/** All rules look at the same params. */
const fieldsOf = new WeakMap<Params, readonly Field[]>()

function readFields(params: Params): readonly Field[] {
  const found = fieldsOf.get(params)
  if (found !== undefined) return found
  const readings = new Map<Leaf, Reading>()
  const read = (leaf: Leaf): Reading => {
    const reading = readings.get(leaf) ?? readingOf(leaf)
    readings.set(leaf, reading)
    return reading
  }
  const fields = Object.entries(params).map(
    ([name, value]): Field => ({ name, value, leaves: leavesOf(name, value), read }),
  )
  fieldsOf.set(params, fields)
  return fields
}

/** Returns the name of the param that holds a constraint when it is compared loosely, or null. */
function spellingOf(wanted: string, constraint: Constraint, params: Params, beside: unknown): string | null {
  const found = readFields(params).find((field) => {
    // A name within an object counts like the name of the param.
    const relation = relationOf(new Set([field.name, ...field.leaves.flatMap(({ names }) => names)]), wanted)
    return holds({ ...field, relation, beside }, constraint)
  })
  return found?.name ?? null
}

/**
 * Returns the params by whose spelling alone a request misses a rule that rejects or asks, or null for a request that is not close to it. Further
 * params and amounts that cannot be counted do not matter: an agent can add them. Empty: every constraint is satisfied as it is.
 */
export function closeness({ params: constraints }: Pick<Rule, 'params'>, params: Params): string[] | null {
  const beside = Object.hasOwn(params, 'currency') ? params.currency : undefined
  const close: string[] = []
  for (const [name, constraint] of Object.entries(constraints)) {
    if ('any' in constraint) continue
    if (Object.hasOwn(params, name) && satisfies(params[name], constraint, beside)) continue
    const spelling = spellingOf(name, constraint, params, beside)
    if (spelling === null) return null
    close.push(spelling)
  }
  return close
}
