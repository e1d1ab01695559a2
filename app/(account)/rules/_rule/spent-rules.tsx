import { judge } from '@beak/client/verify/rules/judge'
import { readMoney } from '@beak/client/verify/rules/money'
import { read } from '@/app/_web/read'
import type { Peck } from '../../pecks/_peck/reads'
import { type PresentedRule, readRuleState } from './reads'
import { SpentNotice } from './spent-notice'

/** The rules that a waiting request lies within, but whose budget is exceeded. */
export async function SpentRules({ peck }: { peck: Peck }) {
  const { living } = await readRuleState()
  if (living === 0 || peck.requester.agent_id === undefined) return null
  const { items } = await read('GET /beak/rule/list', { query: { limit: '100' } })
  return items
    .filter((rule) => isExceededBy(rule, peck))
    .map((rule) => <SpentNotice key={rule.rule_id} rule={rule} />)
}

function isExceededBy({ status, rule, left }: PresentedRule, peck: Peck): boolean {
  if (status !== 'on' || rule.mode === 'watch' || rule.answer === 'ask') return false
  const { duckling_id, agent_id = null } = peck.requester
  const { action, scope, params } = peck
  const judged = judge(rule, { requester: { duckling_id, agent_id }, action, scope, params })
  if (!judged.fits) return false
  const most = left.amount === null || rule.answer !== 'approve' ? null : readMoney(left.amount)
  const isOver = most !== null && judged.cost !== null && judged.cost.minor > most.minor
  return left.uses === 0 || left.uses_each === 0 || isOver
}
