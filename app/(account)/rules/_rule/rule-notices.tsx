import { type JudgedRequest, judge } from '@beak/proofs/rules/judge'
import { type ExactMoney, exactMoneyText, readMoney } from '@beak/proofs/rules/money'
import { read } from '@/app/_web/page-read'
import { KeptText } from '@/components/kept-text'
import { Announcements } from '@/components/ui/announcements'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/surface'
import { nearMisses } from '@/lib/kernel/closeness/near-misses'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import type { Peck } from '../../pecks/_peck/reads'
import { pauseRule } from '../actions'
import { AnswerList } from './answer-list'
import { type PresentedRule, readRuleState } from './reads'
import { isSpent, leftTexts, whySentence } from './words'

interface SpentNoticeProps {
  rule: PresentedRule
  /** What a request costs of which less is left. Undefined: the note is about no request, or about its number. */
  cost?: ExactMoney | undefined
  isOnItsPage?: boolean
}

/**
 * Says that the budget of a rule is exceeded, so its requests wait. On its page, "Pause this rule" makes Beak ask from now on. Elsewhere a line
 * with a link is enough: the request below it is what counts.
 */
export function SpentNotice({ rule, cost, isOnItsPage = false }: SpentNoticeProps) {
  const left = leftTexts({ budget: rule.rule.budget, left: leftFor(rule, { cost }) }).join(', ')
  const text =
    cost === undefined
      ? m.rules_spent_text({ left })
      : keptText(m.rules_spent_asks, { left, amount: exactMoneyText(cost) })
  return (
    <div className="mb-6" data-spent>
      <Notice tone="warn" title={m.rules_spent()}>
        <p className="wrap-anywhere">
          <KeptText text={text} />{' '}
          {isOnItsPage ? null : (
            <Link href={`/rules/${rule.rule_id}`} className="underline">
              {m.rules_see_rule()}
            </Link>
          )}
        </p>
        {isOnItsPage ? (
          <div className="mt-3">
            <ActionForm action={pauseRule} keepsDraft={false}>
              <input type="hidden" name="rule_id" value={rule.rule_id} />
              <SubmitButton kind="plain">{m.rules_ask_me()}</SubmitButton>
            </ActionForm>
          </div>
        ) : null}
      </Notice>
    </div>
  )
}

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
    .map((rule) => {
      const exceeded = rule.status === 'on' ? exceededBy(rule, request) : null
      return exceeded === null ? (
        <CloseNotice key={rule.rule_id} rule={rule} request={request} />
      ) : (
        <SpentNotice key={rule.rule_id} rule={rule} cost={exceeded.cost} />
      )
    })
}

/** Returns what is left of a rule, as far as it counts for a request: where money is missing, only money. */
export const leftFor = ({ left }: PresentedRule, exceeded: { cost?: ExactMoney | undefined } | null) =>
  exceeded?.cost === undefined ? left : { ...left, uses: null, uses_each: null }

/** What a rule that rejects or asks catches is asked while the rule is paused, and after it expired. */
const forbidsOff = ({ status, rule }: PresentedRule) =>
  rule.answer !== 'approve' && (status === 'paused' || status === 'expired')

/** Returns null when the budget of a rule covers a request, or the request is none of the rule. `cost`: when too little money is left. */
export function exceededBy(
  { rule, left }: PresentedRule,
  request: JudgedRequest,
): { cost?: ExactMoney } | null {
  if (rule.answer === 'ask') return null
  const judged = judge(rule, request)
  if (!judged.fits) return null
  const most = left.amount === null || rule.answer !== 'approve' ? null : readMoney(left.amount)
  if (most !== null && judged.cost !== null && judged.cost.minor > most.minor) return { cost: judged.cost }
  return left.uses === 0 || left.uses_each === 0 ? {} : null
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
          <KeptText text={whySentence(why)} /> {status === 'paused' && m.rules_close_paused()}
          {status === 'expired' && m.rules_expired_asks()}
        </p>
      </Notice>
    </div>
  )
}

const shown = 5

/** "Answered for you": what rules answered last. Nothing for a person without rules. */
export async function AnsweredFeed({ now }: { now: Date }) {
  if (!(await readRuleState()).made) return null
  const [{ items, next_cursor: next }, { items: rules }] = await Promise.all([
    read('GET /beak/rule/answers', { query: { limit: String(shown) } }),
    read('GET /beak/rule/list', { query: { limit: '100' } }),
  ])
  const spent = rules.filter(isSpent)
  if (items.length === 0 && spent.length === 0) return null
  return (
    <section aria-labelledby="answered" className="mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-5">
        <h2 id="answered">{m.rules_answered_for_you()}</h2>
        {next === null ? null : (
          <Link href="/rules/answers" className="inline-flex min-h-11 items-center text-sm underline">
            {m.rules_all_answers()}
          </Link>
        )}
      </div>
      {spent.map((rule) => (
        <SpentNotice key={rule.rule_id} rule={rule} />
      ))}
      <Announcements>
        <AnswerList answers={items} rules={rules} label={m.rules_answered_for_you()} now={now} />
      </Announcements>
    </section>
  )
}
