/** Checks the rule that a caller sends, and completes it. */

import { isFreeText } from '@beak/decision/free-text'
import { riskOf } from '@beak/decision/risk/rules'
import { isTestRequest } from '@beak/decision/test-request'
import { budgetAmount } from '@beak/proofs/rules/judge'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'
import type { Tx } from '@/lib/db/client'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { verbObject } from '@/lib/kernel/request/fields'
import { reaches } from '@/lib/kernel/request/tier'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { mayBeAny } from '@/lib/kernel/text/same-look'
import { oddBounds } from './normal-form'
import type { SentRule } from './schema'
import { ruleTiers } from './verdict'

export type PrepareFailure =
  | 'invalid_request'
  | 'agent_not_registered'
  | 'duckling_not_found'
  | 'tier_too_low'

/** A statement with all constraints stays readable up to this length. */
const sentenceMax = 4000

/** Returns a value that satisfies a constraint, for the risk of a request that the rule would answer. */
function exampleOf(constraint: Constraint): unknown[] {
  if ('equals' in constraint) return [constraint.equals]
  if ('one_of' in constraint) return constraint.one_of
  if ('at_most' in constraint) return [constraint.at_most]
  if ('at_least' in constraint) return [constraint.at_least]
  if ('between' in constraint) return [...constraint.between]
  if ('domain' in constraint) return [`someone@${constraint.domain}`, `https://${constraint.domain}/`]
  if ('path_below' in constraint) return [`${constraint.path_below}/file`]
  return 'unchanged' in constraint ? [constraint.unchanged] : []
}

/**
 * Returns the rules of risk that the actions and values of a rule give reasons for, in each version that still counts: a rule that only becomes
 * narrower keeps the version of its signature.
 */
function reasonsOf({ actions, params }: Pick<Rule, 'actions' | 'params'>, isOwn: boolean): string[] {
  const examples = Object.entries(params).map(([name, constraint]) => ({
    name,
    values: exampleOf(constraint),
  }))
  const longest = Math.max(1, ...examples.map(({ values }) => values.length))
  const found = Array.from({ length: longest }, (_, at) =>
    Object.fromEntries(
      examples.flatMap(({ name, values }) =>
        values.length === 0 ? [] : [[name, values[at % values.length]]],
      ),
    ),
  ).flatMap((sample) =>
    actions.flatMap((action) => {
      const risk = riskOf({ action, scope: 'limited', params: sample, isOwn, history: null })
      return [...risk.reasons, ...(risk.earlier ?? [])]
    }),
  )
  return [...new Set(found.map(({ rule }) => rule))].sort()
}

/** Returns what is wrong with a rule beside its form. */
function faultsOf(sent: Pick<Rule, 'actions' | 'params' | 'budget'>): { field: string; message: string }[] {
  const fault = (field: string, message: string) => ({ field: `rule.${field}`, message })
  const unknown = sent.actions.find((action) => !verbObject.safeParse(action).success)
  const hasTest = sent.actions.some(isTestRequest)
  const hasFreeText = sent.actions.some(isFreeText)
  const open = Object.entries(sent.params).find(
    ([name, constraint]) => 'any' in constraint && !mayBeAny(name),
  )
  const money = budgetAmount(sent)
  const isCounted = Object.values(sent.params).some((constraint) => !('any' in constraint))
  return [
    ...(unknown === undefined ? [] : [fault('actions', m.field_action_format())]),
    ...(hasTest ? [fault('actions', m.field_rule_must_not_name_test())] : []),
    ...(hasFreeText ? [fault('actions', m.field_rule_must_not_name_free_text())] : []),
    ...oddBounds(sent).map(({ field, normal }) =>
      fault(
        field,
        normal === null ? m.field_rule_bound_is_not_one() : m.field_rule_bound_is_written({ normal }),
      ),
    ),
    ...(open === undefined ? [] : [fault(`params.${open[0]}`, m.field_rule_must_not_be_any())]),
    ...(money !== null && !isCounted ? [fault('budget.amount', m.field_rule_needs_amount())] : []),
  ]
}

/** Throws `invalid_request` for a rule that nobody may sign, also when an older version let somebody sign it. */
export function requireSound(
  { fail }: DucklingContext<'invalid_request'>,
  rule: Pick<Rule, 'actions' | 'params' | 'budget'>,
): void {
  const errors = faultsOf(rule)
  if (errors.length > 0) throw fail('invalid_request', { errors })
}

/**
 * Returns the whole rule. Throws `invalid_request`, `agent_not_registered`, `duckling_not_found`, or `tier_too_low` for a person who may not
 * have rules for this asker.
 */
export async function prepareRule(
  tx: Tx,
  context: DucklingContext<PrepareFailure>,
  sent: SentRule,
): Promise<Rule> {
  const { caller, fail } = context
  requireSound(context, sent)
  const isForOwn = await isOwn(tx, context, sent)
  const required = isForOwn ? ruleTiers.own : ruleTiers.others
  if (!reaches(caller.tier, required))
    throw fail('tier_too_low', { required_tier: required, current_tier: caller.tier })
  const rule = { ...sent, reasons: [...new Set(sent.reasons ?? reasonsOf(sent, isForOwn))].sort() }
  if (ruleSentence(rule, secondsAfter(context.now, rule.expires_in)).length > sentenceMax)
    throw fail('invalid_request', { errors: [{ field: 'rule', message: m.field_rule_must_be_shorter() }] })
  // Undefined members are left out, so that the rule equals the one that is read from JSON.
  return JSON.parse(JSON.stringify(rule)) as Rule
}

/** Tells whether the rule is for the caller's own agents. Throws when there is no such agent or person. */
async function isOwn(
  tx: Tx,
  { caller, fail }: DucklingContext<PrepareFailure>,
  { agent_id: agentId, operator_id: operatorId }: SentRule,
): Promise<boolean> {
  if (agentId !== undefined) {
    const agent = await tx.agent.findFirst({
      where: { id: agentId, status: { not: 'deregistered' } },
      select: { ducklingId: true },
    })
    if (agent === null) throw fail('agent_not_registered')
    return agent.ducklingId === caller.id
  }
  if (operatorId === caller.id) return true
  const person = await tx.duckling.findFirst({
    where: { id: operatorId ?? '', deletedAt: null },
    select: { id: true },
  })
  if (person === null) throw fail('duckling_not_found')
  return false
}
