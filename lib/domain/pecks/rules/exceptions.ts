/**
 * Which changes of a rule let the rules of a person together allow more: those of a rule that forbids, and those of an
 * approving rule that answers instead of another one. Such a change needs a proof of the person. When it is not certain, it needs one, too.
 */
import { compareWithBound } from '@beak/proofs/rules/bounds'
import { satisfies } from '@beak/proofs/rules/judge'
import { isBelow } from '@beak/proofs/rules/places'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'
import type { Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { boundsOf, widthOf } from './narrow'
import { readRule } from './schema'

/** Returns all values that satisfy a constraint, or null when it does not list them. */
function valuesOf(constraint: Constraint): unknown[] | null {
  if ('equals' in constraint) return [constraint.equals]
  if ('unchanged' in constraint) return [constraint.unchanged]
  return 'one_of' in constraint ? constraint.one_of : null
}

/** Tells whether the `at_most` of one constraint is less than the `at_least` of the other one. */
function isBelowBound(low: Constraint, high: Constraint): boolean {
  const [most, least] = [boundsOf(low).most, boundsOf(high).least]
  return most !== undefined && least !== undefined && (compareWithBound(most, undefined, least) ?? 0) < 0
}

/** Tells whether it is certain that no value satisfies both constraints, whatever the currency beside it is. */
function excludeEachOther(left: Constraint, right: Constraint): boolean {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const values = valuesOf(one)
    const isExact = valuesOf(other) !== null || 'domain' in other || 'path_below' in other
    if (values !== null && isExact) return !values.some((value) => satisfies(value, other, undefined))
  }
  if ('domain' in left && 'domain' in right)
    return !`.${left.domain}`.endsWith(`.${right.domain}`) && !`.${right.domain}`.endsWith(`.${left.domain}`)
  if ('path_below' in left && 'path_below' in right) {
    const [one, other] = [left.path_below, right.path_below]
    return one !== other && !isBelow(one, other) && !isBelow(other, one)
  }
  return isBelowBound(left, right) || isBelowBound(right, left)
}

const ownConstraint = ({ params }: Rule, name: string): Constraint | undefined =>
  Object.hasOwn(params, name) ? params[name] : undefined

/** Tells whether a request must have a param of `rule` that `other` does not allow. */
const demandsMore = (rule: Rule, other: Rule): boolean =>
  Object.entries(rule.params).some(
    ([name, constraint]) => !('any' in constraint) && ownConstraint(other, name) === undefined,
  )

const differ = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && left !== right

/** Tells whether one request may lie within both rules. */
function mayOverlap(left: Rule, right: Rule): boolean {
  if (differ(left.agent_id, right.agent_id) || differ(left.operator_id, right.operator_id)) return false
  if (!left.actions.some((action) => right.actions.includes(action))) return false
  if (demandsMore(left, right) || demandsMore(right, left)) return false
  return !Object.entries(left.params).some(([name, constraint]) => {
    const other = ownConstraint(right, name)
    return other !== undefined && excludeEachOther(constraint, other)
  })
}

/** Sums of widths are sums of fractions. */
const tolerance = 1e-9

/** What is changed. `after`: null when the rule answers nothing any more. */
interface Change {
  before: Rule
  after: Rule | null
}

/**
 * Tells whether the rules together may allow more after a change that makes a rule narrower, pauses or ends it. `approving`: the other living
 * rules that approve. Of several that approve, the narrowest one answers. So a change is free only while each other rule that may match the same
 * requests answers instead of this one, before and after.
 */
export function mayAllowMore({ before, after }: Change, approving: readonly Rule[]): boolean {
  // One that only watches answers nothing.
  if (before.mode === 'watch') return false
  if (before.answer !== 'approve') return true
  const width = Math.min(widthOf(before), widthOf(after ?? before))
  return approving.some((other) => mayOverlap(before, other) && !(widthOf(other) < width - tolerance))
}

/** Returns the other rules of the owner that approve, also paused ones: their owner may resume them without thinking of this one. */
export async function readApproving(
  tx: Tx,
  { id, ducklingId }: Pick<RuleRow, 'id' | 'ducklingId'>,
  now: Date,
): Promise<Rule[]> {
  const rows = await tx.rule.findMany({
    where: {
      ducklingId,
      id: { not: id },
      status: { not: 'ended' },
      answer: 'approve',
      watches: false,
      expiresAt: { gt: now },
    },
    select: { rule: true },
  })
  return rows.map(readRule)
}

/**
 * Throws the failures of `requireProof` when a change without a signature may allow more. The account of the caller must be locked, so that no
 * two changes judge each other as they were before.
 */
export async function requireProofToLoosen(
  tx: Tx,
  context: DucklingContext<ProofFailure>,
  row: RuleRow,
  after: Rule | null,
): Promise<void> {
  const approving = await readApproving(tx, row, context.now)
  if (mayAllowMore({ before: readRule(row), after }, approving)) await requireProof(tx, context)
}
