/**
 * What a rule would have answered in the last 30 days, judged by the code that judges new requests. The budget counts as it
 * would have counted then. The account, its settings and its tier are those of now.
 */

import { summarize } from '@beak/decision/display/display'
import { budgetAmount, judge } from '@beak/proofs/rules/judge'
import { type ExactMoney, exactMoneyText } from '@beak/proofs/rules/money'
import type { Rule } from '@beak/proofs/rules/rule'
import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { isFirstContact, storedRisk } from '@/lib/domain/pecks/risk/read'
import { type PeckRow, readPecksInParts } from '@/lib/domain/pecks/rows'
import { rulePeriods } from '@/lib/domain/rules/charge'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { nearMisses } from '@/lib/kernel/closeness/near-misses'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { inSlices } from '@/lib/kernel/runtime/slices'
import { judgedOf } from './answer'
import { mayAllowMore, readApproving } from './exceptions'
import { isNarrower } from './narrow'
import { type PrepareFailure, prepareRule } from './prepare'
import { findRule } from './rows'
import { readRule, type SentRule } from './schema'
import { timeZoneOf } from './sign'
import { type AskedFacts, isOpenOnlyForHarmless, isWholeCost, obstaclesOf, unnamedReasons } from './verdict'

const days = 30
/** The newest requests of those days that are judged. */
const judgedMax = 1000
const shownMax = 20

const Rehearsed = z.object({
  peck_id: z.string(),
  action: z.string(),
  summary: z.string().meta({ description: 'What was asked, as one sentence of the service.' }),
  created_at: instant,
  status: z.string().meta({ description: 'What became of it.' }),
  cost: z.string().nullable().meta({ description: 'What it would have cost the budget.' }),
})

export const Rehearsal = z
  .object({
    sentence: z.string().meta({ description: 'The rule in words.' }),
    needs_passkey: z.boolean().meta({
      description: 'Whether only a passkey can make the rule, or change the rule with `rule_id` so.',
    }),
    days: z.int(),
    asked: z
      .int()
      .meta({ description: 'How many requests the agent, or the agents, sent. At most the newest 1,000.' }),
    answered: z.int().meta({ description: 'How many the rule would have answered.' }),
    amount: z.string().nullable().meta({ description: 'What these cost together.' }),
    answers: z.array(Rehearsed).meta({ description: 'The newest of these.' }),
    others: z
      .array(
        Rehearsed.extend({
          why: z
            .array(z.object({ why: z.string(), param: z.string().optional() }))
            .meta({ description: 'Why the rule would not have answered.' }),
        }),
      )
      .meta({ description: 'The closest requests that it would not have answered.' }),
  })
  .meta({ id: 'RuleRehearsal' })

type Why = { why: string; param?: string }
/** What the account of the caller says to all requests. */
type AccountFacts = Pick<
  AskedFacts,
  'targetTier' | 'targetVerified' | 'targetRequiresPasskey' | 'targetApprover' | 'rulesPausedAt'
>

/**
 * Returns why a rule alone does not answer a peck, without its budget, and what the peck would cost. No reason: it answers. Exported for tests.
 * @internal
 */
export function judgedAlone(
  rule: Rule,
  peck: PeckRow,
  account: AccountFacts,
): { why: Why[]; cost: ExactMoney | null } {
  const request = judgedOf(peck)
  const risk = storedRisk(peck)
  const judged = judge(rule, request)
  const facts = { ...account, request, risk, knowsAsker: !isFirstContact(risk), isBlocked: peck.blocked }
  const misses = judged.fits ? [] : judged.misses
  const isCounted = judged.fits && rule.answer === 'approve' && rule.budget?.amount !== undefined
  const why = [
    ...(nearMisses(rule, request, misses) ?? misses),
    ...(isOpenOnlyForHarmless(rule, request.params) ? [] : [{ why: 'value' }]),
    ...(isCounted && !isWholeCost(rule, request, judged.cost, risk) ? [{ why: 'money' }] : []),
    // That all rules are paused now says nothing about the days before.
    ...obstaclesOf({ ...facts, rulesPausedAt: null }).map((why) => ({ why })),
    ...unnamedReasons(rule, risk).map((param) => ({ why: 'risk', param })),
  ]
  return { why, cost: judged.fits ? judged.cost : null }
}

/** Tells whether a change needs a passkey: it does not only make the rule narrower, or the rules together may allow more. */
async function needsPasskey(stored: RuleRow, rule: Rule, now: Date): Promise<boolean> {
  const before = readRule(stored)
  if (stored.status !== 'on' || !isNarrower(rule, before)) return true
  return mayAllowMore({ before, after: rule }, await readApproving(db(), stored, now))
}

/** A budget that counts in memory. */
function countingBudget(rule: Rule, timeZone: string) {
  const [uses, each, most] = [rule.budget?.uses, rule.budget?.uses_each, budgetAmount(rule)?.minor]
  let all = 0
  const spent = new Map<string, { uses: number; amount: number }>()
  const usedIn = (period: string) => spent.get(period) ?? { uses: 0, amount: 0 }
  return function take({ createdAt, grantSeconds }: PeckRow, cost: number): boolean {
    const { period, next } = rulePeriods(
      rule,
      timeZone,
      createdAt,
      secondsAfter(createdAt, grantSeconds ?? 0),
    )
    const used = usedIn(period ?? '')
    const isOver =
      all >= (uses ?? Infinity) || used.uses >= (each ?? Infinity) || used.amount + cost > (most ?? Infinity)
    if (isOver) return false
    all++
    for (const name of next === null ? [period ?? ''] : [period ?? '', next]) {
      const before = usedIn(name)
      spent.set(name, { uses: before.uses + 1, amount: before.amount + cost })
    }
    return true
  }
}

/**
 * Rehearses a rule of the caller. Changes nothing. `ruleId`: the rule that it would replace. Throws `rule_not_found` or the
 * failures of `prepareRule`.
 */
export async function rehearseRule(
  context: DucklingContext<PrepareFailure | 'rule_not_found'>,
  sent: SentRule,
  ruleId?: string,
): Promise<z.input<typeof Rehearsal>> {
  const { caller, now } = context
  const stored = ruleId === undefined ? null : await findRule(context, ruleId)
  const rule = await prepareRule(db(), context, sent)
  const timeZone = await timeZoneOf(db(), caller.id)
  const account = await accountFacts(db(), context)
  const pecks = await requestsOf(db(), rule, caller.id, now)
  const take = countingBudget(rule, timeZone)
  // The oldest first, because that is how the budget was spent.
  const judged = await inSlices(
    pecks.toReversed(),
    ({ params }) => 200 + params.length / 2,
    (peck) => {
      const { why, cost } = judgedAlone(rule, peck, account)
      if (why.length === 0 && !take(peck, cost?.minor ?? 0)) why.push({ why: 'budget' })
      return { peck, why, cost }
    },
  )
  const answered = judged.filter(({ why }) => why.length === 0)
  const costs = answered.flatMap(({ cost }) => cost ?? [])
  const currencies = new Set(costs.map(({ currency }) => currency))
  const [first] = costs
  const others = judged.filter(({ why }) => why.length > 0)
  return {
    sentence: ruleSentence(rule, secondsAfter(now, rule.expires_in)),
    needs_passkey: stored === null || (await needsPasskey(stored, rule, now)),
    days,
    asked: pecks.length,
    answered: answered.length,
    amount:
      first === undefined || currencies.size > 1
        ? null
        : exactMoneyText({
            minor: costs.reduce((sum, { minor }) => sum + minor, 0),
            currency: first.currency,
          }),
    answers: answered.toReversed().slice(0, shownMax).map(present),
    others: others
      .toReversed()
      .sort((left, right) => left.why.length - right.why.length)
      .slice(0, shownMax)
      .map((one) => ({ ...present(one), why: one.why })),
  }
}

function present({ peck, cost }: { peck: PeckRow; cost: { minor: number; currency: string } | null }) {
  return {
    peck_id: peck.id,
    action: peck.action,
    summary: summarize(peck),
    created_at: peck.createdAt,
    status: peck.status,
    cost: cost === null ? null : exactMoneyText(cost),
  }
}

/** Returns the newest requests of the last days of the agents that a rule is for, newest first. */
function requestsOf(tx: Tx, rule: Rule, ducklingId: string, now: Date): Promise<PeckRow[]> {
  const asker =
    rule.agent_id === undefined
      ? sql`"requesterDucklingId" = ${rule.operator_id ?? ''} AND "requesterAgentId" IS NOT NULL`
      : sql`"askerId" = ${rule.agent_id}`
  return readPecksInParts(
    tx,
    sql`"targetDucklingId" = ${ducklingId} AND ${asker}
      AND "createdAt" > ${secondsAfter(now, -days * day)}::timestamptz AND NOT "blocked" AND "supersededBy" IS NULL`,
    judgedMax,
  )
}

async function accountFacts(tx: Tx, { caller }: DucklingContext): Promise<AccountFacts> {
  const row = await tx.duckling.findUniqueOrThrow({ where: { id: caller.id } })
  return {
    targetTier: row.trustTier,
    targetVerified: row.emailVerifiedAt !== null && row.suspendedAt === null,
    targetRequiresPasskey: row.requirePasskeyForPecks,
    targetApprover: row.approverCovers,
    rulesPausedAt: null,
  }
}
