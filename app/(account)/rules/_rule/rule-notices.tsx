import { type JudgedRequest, judge } from '@beak/client/verify/rules/judge'
import { readMoney } from '@beak/client/verify/rules/money'
import { read } from '@/app/_web/read'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { nearMisses } from '@/lib/kernel/closeness/near-misses'
import { m } from '@/lib/kernel/messages'
import type { Peck } from '../../pecks/_peck/reads'
import { type PresentedRule, readRuleState } from './reads'
import { SpentNotice } from './spent-notice'
import { whySentence } from './words'

/**
 * The rules because of which a request waits: it is close to one that rejects or asks, one of them is paused or has expired, or the budget of
 * one is exceeded.
 */
export async function RuleNotices({ peck }: { peck: Peck }) {
  const { living } = await readRuleState()
  const { duckling_id, agent_id } = peck.requester
  if (living === 0 || agent_id === undefined) return null
  const { items } = await read('GET /beak/rule/list', { query: { limit: '100' } })
  const { action, scope, params } = peck
  const request = { requester: { duckling_id, agent_id }, action, scope, params }
  return items
    .filter((rule) => rule.rule.mode === 'on' && (rule.status === 'on' || forbidsOff(rule)))
    .map((rule) =>
      rule.status === 'on' && isExceededBy(rule, request) ? (
        <SpentNotice key={rule.rule_id} rule={rule} />
      ) : (
        <CloseNotice key={rule.rule_id} rule={rule} request={request} />
      ),
    )
}

/** What a rule that rejects or asks catches is asked while the rule is paused, and after it expired (contract C, Rules). */
const forbidsOff = ({ status, rule }: PresentedRule) =>
  rule.answer !== 'approve' && (status === 'paused' || status === 'expired')

function isExceededBy({ rule, left }: PresentedRule, request: JudgedRequest): boolean {
  if (rule.answer === 'ask') return false
  const judged = judge(rule, request)
  if (!judged.fits) return false
  const most = left.amount === null || rule.answer !== 'approve' ? null : readMoney(left.amount)
  const isOver = most !== null && judged.cost !== null && judged.cost.minor > most.minor
  return left.uses === 0 || left.uses_each === 0 || isOver
}

interface CloseNoticeProps {
  rule: PresentedRule
  request: JudgedRequest
}

/** Says that a request is close to a rule that rejects or asks, and what differs. */
function CloseNotice({ rule: { rule_id, sentence, rule, status }, request }: CloseNoticeProps) {
  const judged = judge(rule, request)
  const why = nearMisses(rule, request, judged.fits ? [] : judged.misses)
  if (why === null) return null
  return (
    <div className="mb-6" data-close>
      <Notice tone="warn" title={why.length === 0 ? m.rules_asks_you() : m.rules_close()}>
        <p className="wrap-anywhere">
          <Link href={`/rules/${rule_id}`} className="underline">
            {sentence}
          </Link>{' '}
          {whySentence(why)} {status === 'paused' && m.rules_close_paused()}
          {status === 'expired' && m.rules_expired_asks()}
        </p>
      </Notice>
    </div>
  )
}
