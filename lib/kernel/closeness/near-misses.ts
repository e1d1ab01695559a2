/** Why a request is close to a rule that rejects or asks, for the answers of rules, for the rehearsal and for the pages. */
import type { JudgedRequest, Miss } from '@beak/proofs/rules/judge'
import type { Rule } from '@beak/proofs/rules/rule'
import { closeness } from './closeness'

/** What no spelling changes. */
const isOfCall = ({ why }: Miss): boolean => why === 'asker' || why === 'action' || why === 'scope'

/** Why a request misses a rule. `close`: a param of the request is another spelling of what a rule that rejects or asks names. */
type NearMiss = Omit<Miss, 'why'> & { why: Miss['why'] | 'close' }

/** Tells whether a rule accepts any value of a param. */
export function isOpen({ params }: Pick<Rule, 'params'>, name: string): boolean {
  const constraint = Object.hasOwn(params, name) ? params[name] : undefined
  return constraint !== undefined && 'any' in constraint
}

/**
 * Returns why a request is close to a rule that rejects or asks, or null when the request is not close. Such a request misses the rule only by
 * what its agent chose: the spelling of a value or a name, a further param, an amount that cannot be counted.
 */
export function nearMisses(rule: Rule, request: JudgedRequest, misses: readonly Miss[]): NearMiss[] | null {
  if (rule.answer === 'approve' || misses.some(isOfCall)) return null
  const isSpelled = misses.every(({ why }) => why === 'unnamed' || why === 'money')
  const close = isSpelled ? [] : closeness(rule, request.params)
  if (close === null) return null
  return [
    ...close.map((param): NearMiss => ({ why: 'close', param })),
    ...misses.filter(({ why, param = '' }) => why === 'unnamed' || why === 'money' || isOpen(rule, param)),
  ]
}
