/** Which of two rules is narrower: for the choice between rules that both approve, and for changes that need no signature. */
import { canonicalText } from '@beak/proofs/canonical'
import { compareWithBound } from '@beak/proofs/rules/bounds'
import { budgetAmount, satisfies } from '@beak/proofs/rules/judge'
import { isBelow } from '@beak/proofs/rules/places'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'
import { mayBeAny } from '@/lib/kernel/text/same-look'

const same = (left: unknown, right: unknown) => canonicalText(left ?? null) === canonicalText(right ?? null)

/** How much a constraint leaves open, for the choice between rules. */
function width(constraint: Constraint): number {
  if ('equals' in constraint || 'unchanged' in constraint) return 0
  if ('one_of' in constraint) return constraint.one_of.length / 50
  if ('between' in constraint) return 2
  if ('at_most' in constraint || 'at_least' in constraint) return 3
  return 'any' in constraint ? 5 : 4
}

/** Returns how much a rule leaves open. Of several that approve, the one with the smallest width answers. */
export const widthOf = ({ agent_id, actions, params }: Rule): number =>
  (agent_id === undefined ? 100 : 0) +
  actions.length / 100 +
  Object.values(params).reduce((sum, constraint) => sum + width(constraint), 0)

interface Ranked {
  rule: Rule
  candidate: { id: string }
}

/** Compares two rules: the narrower first. One for one agent is narrower than one for all, and of equal ones the older is. */
export function byNarrowness(left: Ranked, right: Ranked): number {
  const difference = widthOf(left.rule) - widthOf(right.rule)
  if (difference !== 0) return difference
  // Between equal widths, one that lies within the other.
  const [isWithin, contains] = [
    isConstrainedBy(left.rule, right.rule),
    isConstrainedBy(right.rule, left.rule),
  ]
  if (isWithin !== contains) return isWithin ? -1 : 1
  return left.candidate.id < right.candidate.id ? -1 : 1
}

/** Returns the bounds of a constraint. */
export function boundsOf(constraint: Constraint): { least?: string | number; most?: string | number } {
  if ('at_most' in constraint) return { most: constraint.at_most }
  if ('at_least' in constraint) return { least: constraint.at_least }
  if (!('between' in constraint)) return {}
  const [least, most] = constraint.between
  return { least, most }
}

/** Tells whether everything that satisfies `inner` satisfies `outer`. When that is not certain, the answer is no. */
function isWithin(inner: Constraint, outer: Constraint): boolean {
  if (same(inner, outer)) return true
  // `any` refuses a number beside a currency, and a request may have one.
  const beside = 'any' in outer ? null : undefined
  if ('equals' in inner) return satisfies(inner.equals, outer, beside)
  if ('unchanged' in inner) return satisfies(inner.unchanged, outer, beside)
  if ('one_of' in inner) return inner.one_of.every((value) => satisfies(value, outer, beside))
  if ('domain' in inner && 'domain' in outer)
    return inner.domain === outer.domain || inner.domain.endsWith(`.${outer.domain}`)
  if ('path_below' in inner && 'path_below' in outer) return isBelow(inner.path_below, outer.path_below)
  const [bounds, limits] = [boundsOf(inner), boundsOf(outer)]
  const isLimited = limits.least !== undefined || limits.most !== undefined
  return (
    isLimited &&
    (limits.least === undefined ||
      (bounds.least !== undefined && (compareWithBound(bounds.least, undefined, limits.least) ?? -1) >= 0)) &&
    (limits.most === undefined ||
      (bounds.most !== undefined && (compareWithBound(bounds.most, undefined, limits.most) ?? 1) <= 0))
  )
}

/** Tells whether the params of `inner` are constrained at least as those of `outer`. */
function isConstrainedBy(inner: Rule, outer: Rule): boolean {
  const isCovered = Object.entries(inner.params).every(([name, constraint]) => {
    const limit = Object.hasOwn(outer.params, name) ? outer.params[name] : undefined
    if (limit === undefined) return false
    // `any` for what the action reaches fits nothing, so every other constraint allows more.
    const isClosed = 'any' in limit && !('any' in constraint) && !mayBeAny(name)
    return !isClosed && isWithin(constraint, limit)
  })
  // Without the param, a request would have to lack it.
  const isWhole = Object.entries(outer.params).every(
    ([name, limit]) => Object.hasOwn(inner.params, name) || 'any' in limit,
  )
  return isCovered && isWhole && inner.actions.every((action) => outer.actions.includes(action))
}

const isAtMost = (value: number | undefined, limit: number | undefined) =>
  limit === undefined || (value !== undefined && value <= limit)

function hasSmallerBudget(inner: Rule, outer: Rule): boolean {
  const [before, after] = [budgetAmount(outer), budgetAmount(inner)]
  const isSamePeriod = inner.budget?.per === outer.budget?.per || outer.budget?.per === undefined
  const hasPeriodLimit = outer.budget?.amount !== undefined || outer.budget?.uses_each !== undefined
  return (
    (before === null ||
      (after !== null && after.currency === before.currency && after.minor <= before.minor)) &&
    isAtMost(inner.budget?.uses, outer.budget?.uses) &&
    isAtMost(inner.budget?.uses_each, outer.budget?.uses_each) &&
    (inner.budget?.per === outer.budget?.per || (isSamePeriod && !hasPeriodLimit))
  )
}

/**
 * Tells whether a changed rule allows nothing that the one before did not allow. `expiresAt` of both are compared by the caller. Another answer
 * or another asker is never narrower, and neither is a rule that answers after it only watched.
 */
export function isNarrower(after: Rule, before: Rule): boolean {
  return (
    after.answer === before.answer &&
    same(after.agent_id, before.agent_id) &&
    same(after.operator_id, before.operator_id) &&
    (after.mode === 'watch' || before.mode === 'on') &&
    after.reasons.every((reason) => before.reasons.includes(reason)) &&
    isConstrainedBy(after, before) &&
    hasSmallerBudget(after, before)
  )
}
