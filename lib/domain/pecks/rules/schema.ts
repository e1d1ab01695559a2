/** Shapes of rules on the wire. */
import { exactMoneyText } from '@beak/proofs/rules/money'
import { type Period, Rule, RuleRequest } from '@beak/proofs/rules/rule'
import { z } from 'zod'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { periodIn } from '@/lib/domain/rules/lifetime'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import { instant } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'

export const ruleId = idSchema('rule')

/** The form of a rule that a caller sends. */
export const SentRule = RuleRequest.meta({ id: 'RuleRequest' })
export type SentRule = z.output<typeof SentRule>

export const RuleCreation = z.strictObject({ rule: SentRule, passkey: AssertionCredential })
export const RuleUpdate = z.strictObject({
  rule_id: ruleId,
  rule: SentRule,
  passkey: AssertionCredential.optional().meta({
    description: 'Needed unless the rule allows nothing that it did not allow before.',
  }),
})
/** One rule, or all of them with one switch. */
export const RulePause = z.union([
  z.strictObject({ rule_id: ruleId }),
  z.strictObject({ all: z.literal(true) }),
])
export const RuleResumption = z.union([
  z.strictObject({ rule_id: ruleId, passkey: AssertionCredential }),
  z.strictObject({ all: z.literal(true) }),
])

/** The answer of the one switch for everything that may happen without asking. */
export const AllRules = z.object({ paused: z.boolean() }).meta({ id: 'AllRules' })

export const ruleStatus = z.enum(['on', 'paused', 'ended', 'expired'])

const amount = z.string().nullable()

export const RuleUsed = z
  .object({
    uses: z.int().meta({ description: 'How often rules answered.' }),
    period: z.string().nullable().meta({
      description: 'The day, the Monday of the week, or the month that runs. Null without periods.',
    }),
    period_uses: z.int().meta({ description: 'How often in this period.' }),
    amount: amount.meta({ description: 'What was allowed in this period, or in all. Null without money.' }),
  })
  .meta({ id: 'RuleUsed' })

export const RuleLeft = z
  .object({ uses: z.int().nullable(), uses_each: z.int().nullable(), amount })
  .meta({ id: 'RuleLeft', description: 'What is left of the budget. Null: any number.' })

export const PresentedRule = z
  .object({
    rule_id: z.string(),
    status: ruleStatus.meta({ description: 'Only a rule that is `on` answers, or watches.' }),
    reason: z.string().nullable().meta({ description: 'Why it is paused or has ended.' }),
    sentence: z.string().meta({ description: 'The rule in words, as the passkey signs it.' }),
    rule: Rule.meta({ id: 'Rule' }),
    time_zone: z
      .string()
      .meta({ description: 'Days, weeks and months of the budget are those of this zone.' }),
    used: RuleUsed,
    left: RuleLeft,
    created_at: instant,
    expires_at: instant,
    ended_at: instant.nullable(),
    last_used_at: instant.nullable(),
  })
  .meta({ id: 'PresentedRule' })
export type PresentedRuleInput = z.input<typeof PresentedRule>

/** A rule that has ended, with what ended with it. */
export const EndedRule = PresentedRule.extend({
  revoked_grants: z
    .array(z.string())
    .meta({ description: 'The requests whose permissions nobody had used. They are revoked now.' }),
}).meta({ id: 'EndedRule' })

/** What ends with a rule. */
export const RuleEndPreview = z
  .object({
    rule_id: z.string(),
    active_grants: z.int().meta({ description: 'Permissions that the rule gave and nobody has used.' }),
  })
  .meta({ id: 'RuleEndPreview' })

/** Returns a stored rule. */
export const readRule = ({ rule }: Pick<RuleRow, 'rule'>): Rule => JSON.parse(rule) as Rule

export function statusOfRule(
  { status, expiresAt }: Pick<RuleRow, 'status' | 'expiresAt'>,
  now: Date,
): z.output<typeof ruleStatus> {
  return status !== 'ended' && expiresAt <= now ? 'expired' : status
}

const moneyText = (minor: number, currency: string | null) =>
  currency === null ? null : exactMoneyText({ minor: Math.max(minor, 0), currency })

/** The columns of a budget, of a rule or of an agent. */
type BudgetColumns = Pick<
  RuleRow,
  | 'timeZone'
  | 'maxUses'
  | 'maxPeriodUses'
  | 'maxAmount'
  | 'currency'
  | 'per'
  | 'uses'
  | 'period'
  | 'periodUses'
  | 'amount'
  | 'nextPeriod'
  | 'nextUses'
  | 'nextAmount'
>

/** What counts at a time. A period that has ended counts no more, except what was charged to the next one, too. */
function running(row: BudgetColumns, now: Date) {
  const period = periodIn({ per: row.per as Period | null, timeZone: row.timeZone }, now)
  if (period === null || (row.period !== null && row.period >= period))
    return { period, periodUses: row.periodUses, amount: Number(row.amount) }
  const isNext = row.nextPeriod === period
  return {
    period,
    periodUses: isNext ? row.nextUses : 0,
    amount: isNext ? Number(row.nextAmount) : 0,
  }
}

/** Returns what a budget has allowed. */
export function budgetUsed(row: BudgetColumns, now: Date): z.input<typeof RuleUsed> {
  const { period, periodUses, amount } = running(row, now)
  return { uses: row.uses, period, period_uses: periodUses, amount: moneyText(amount, row.currency) }
}

/** Returns what is left of a budget. */
export function budgetLeft(row: BudgetColumns, now: Date): z.input<typeof RuleLeft> {
  const { periodUses, amount } = running(row, now)
  const left = (most: number | null, used: number) => (most === null ? null : Math.max(most - used, 0))
  return {
    uses: left(row.maxUses, row.uses),
    uses_each: left(row.maxPeriodUses, periodUses),
    amount: row.maxAmount === null ? null : moneyText(Number(row.maxAmount) - amount, row.currency),
  }
}

/** Returns a rule as its owner sees it. */
export function presentRule(row: RuleRow, now: Date): PresentedRuleInput {
  const rule = readRule(row)
  return {
    rule_id: row.id,
    status: statusOfRule(row, now),
    reason: row.reason,
    sentence: ruleSentence(rule, row.expiresAt),
    rule,
    time_zone: row.timeZone,
    used: budgetUsed(row, now),
    left: budgetLeft(row, now),
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    ended_at: row.endedAt,
    last_used_at: row.lastUsedAt,
  }
}
