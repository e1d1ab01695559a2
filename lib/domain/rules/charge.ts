/**
 * Budgets of rules. A use is reserved with the approval in one guarded statement, which locks the rule and the budget of
 * the agent: simultaneous requests never allow more than there is. A permission that ends unused gives back what it had cost to the counts that
 * have it: those of its epoch, and of its period or the next one.
 */

import type { Period, Rule, RuleSpent } from '@beak/proofs/rules/rule'
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { inFlightSeconds } from '@/lib/infrastructure/events/chain'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import type { Verdict } from './end-rules'
import { type CountedIn, countedIn, type Periods, periodIn, permissionEnd } from './lifetime'

/** The budget of one agent over all rules, as a request reads it. */
export interface AgentBudgetTerms {
  per: Period | null
  timeZone: string
  currency: string | null
}

interface Charge {
  verdict: Verdict
  peckId: string
  ducklingId: string
  agentId: string
  /** The budget of the agent over all rules. Null: there is none. */
  agentBudget: AgentBudgetTerms | null
  /** When the asker wishes the permission to end. */
  wished: Date
  now: Date
}

/** What a rule had allowed before and after a use. */
export interface Charged {
  before: RuleSpent
  after: RuleSpent
  /** When the permission ends. */
  until: Date
}

const periodsOf = ({ budget }: Rule, timeZone: string): Periods => ({ per: budget?.per ?? null, timeZone })

/** Returns the period of a rule's budget, or null without periods. */
export const rulePeriod = (rule: Rule, timeZone: string, now: Date): string | null =>
  periodIn(periodsOf(rule, timeZone), now)

/** Returns which periods of a rule's budget would have a permission that is wished until then. */
export function rulePeriods(rule: Rule, timeZone: string, now: Date, wished: Date): CountedIn {
  const periods = periodsOf(rule, timeZone)
  return countedIn(periods, now, permissionEnd([wished], [periods], now))
}

/** Tells whether the period in the row `alias` still runs. A clock that is behind never begins an earlier one. */
const runs = (alias: string, { period }: CountedIn): Sql =>
  sql`(${period}::text IS NULL OR COALESCE(${Prisma.raw(alias)}."period" COLLATE "C" >= ${period}::text, false))`

/** The count of the row `alias` in a period that begins: what was charged to it before. */
function begun(alias: string, { period }: CountedIn, count: 'Uses' | 'Amount'): Sql {
  const row = Prisma.raw(alias)
  return sql`CASE WHEN ${row}."nextPeriod" = ${period}::text THEN ${row}.${Prisma.raw(`"next${count}"`)} ELSE 0 END`
}

/** Uses of the row `alias` in the period. */
const periodUses = (alias: string, counted: CountedIn): Sql =>
  sql`(CASE WHEN ${runs(alias, counted)} THEN ${Prisma.raw(alias)}."periodUses" ELSE ${begun(alias, counted, 'Uses')} END)`

/** Money of the row `alias` in the period. */
const amount = (alias: string, counted: CountedIn): Sql =>
  sql`(CASE WHEN ${runs(alias, counted)} THEN ${Prisma.raw(alias)}."amount" ELSE ${begun(alias, counted, 'Amount')} END)`

/** Tells whether one more use and its cost fit into the limits of the row `alias`. What the next period has is never more than this one. */
function fits(alias: string, counted: CountedIn, cost: number): Sql {
  const row = Prisma.raw(alias)
  return sql`(${row}."maxUses" IS NULL OR ${row}."uses" < ${row}."maxUses")
    AND (${row}."maxPeriodUses" IS NULL OR ${periodUses(alias, counted)} < ${row}."maxPeriodUses")
    AND (${row}."maxAmount" IS NULL OR ${amount(alias, counted)} + ${cost}::bigint <= ${row}."maxAmount")`
}

/** The columns of the row `alias` after one more use. */
function added(alias: string, counted: CountedIn, cost: number): Sql {
  const row = Prisma.raw(alias)
  const { period, next } = counted
  const following = { period: next, next: null }
  const carried =
    next === null
      ? sql``
      : sql`, "nextUses" = ${begun(alias, following, 'Uses')} + 1,
          "nextAmount" = ${begun(alias, following, 'Amount')} + ${cost}::bigint, "nextPeriod" = ${next}::text`
  return sql`"uses" = ${row}."uses" + 1, "periodUses" = ${periodUses(alias, counted)} + 1,
    "amount" = ${amount(alias, counted)} + ${cost}::bigint,
    "period" = CASE WHEN ${period}::text IS NULL OR ${runs(alias, counted)} THEN ${row}."period" ELSE ${period}::text END${carried}`
}

/**
 * Charges a rule with an answer, and stores the use. A permission ends with its rule and with the period that has its use. Returns null, and
 * changes nothing, when the budget does not allow it any more.
 */
export async function charge(tx: Tx, input: Charge): Promise<Charged | null> {
  const { verdict, peckId, ducklingId, agentId, wished, now } = input
  const { candidate, rule, cost: money } = verdict
  const isApproval = verdict.answer === 'approve'
  const periods = periodsOf(rule, candidate.timeZone)
  const cost = isApproval ? (money?.minor ?? 0) : 0
  const agentBudget = isApproval ? input.agentBudget : null
  const isOtherCurrency =
    agentBudget?.currency != null && money !== null && money.currency !== agentBudget.currency
  if (isOtherCurrency) return null
  const budgets = agentBudget === null ? [periods] : [periods, agentBudget]
  const until = permissionEnd([wished, new Date(candidate.expiresAt)], budgets, now)
  const counted = countedIn(periods, now, isApproval ? until : now)
  const budgeted = agentBudget === null ? null : countedIn(agentBudget, now, until)
  const settleAt = secondsAfter(until, inFlightSeconds)
  // The terms of the budget must be those that gave its period. They change with other commands only.
  const isSameBudget =
    agentBudget === null || budgeted === null
      ? sql`b."agentId" IS NULL`
      : sql`b."per" IS NOT DISTINCT FROM ${agentBudget.per}::text AND b."timeZone" = ${agentBudget.timeZone}
        AND b."currency" IS NOT DISTINCT FROM ${agentBudget.currency}::text AND ${fits('b', budgeted, cost)}`
  const chargedBudget =
    budgeted === null
      ? sql``
      : sql`budgeted AS (
      UPDATE "AgentBudget" SET ${added('b', budgeted, cost)} FROM n, b
      WHERE "AgentBudget"."ducklingId" = b."ducklingId" AND "AgentBudget"."agentId" = b."agentId"
    ), `
  const rows = await tx.rows<Pick<Charged, 'before' | 'after'>>`
    WITH r AS (
      SELECT * FROM "Rule" WHERE "id" = ${candidate.id} AND "status" = 'on' AND "rule" = ${candidate.rule}
        AND "expiresAt" > ${now}::timestamptz FOR NO KEY UPDATE
    ), b AS (
      SELECT * FROM "AgentBudget" WHERE "ducklingId" = ${ducklingId} AND "agentId" = ${agentId} AND ${isApproval}::boolean FOR NO KEY UPDATE
    ), n AS (
      SELECT r."id", r."uses", r."epoch", b."epoch" AS "budgetEpoch", ${periodUses('r', counted)} AS "periodUses", ${amount('r', counted)} AS "amount",
        jsonb_build_object('uses', r."maxUses", 'uses_each', r."maxPeriodUses", 'amount', r."maxAmount") AS "limits"
      FROM r LEFT JOIN b ON true WHERE ${fits('r', counted, cost)} AND ${isSameBudget}
    ), charged AS (
      UPDATE "Rule" SET ${added('r', counted, cost)}, "lastUsedAt" = ${now}::timestamptz
      FROM n, r WHERE "Rule"."id" = n."id"
    ), ${chargedBudget}spent AS (
      SELECT jsonb_build_object('uses', n."uses", 'period_uses', n."periodUses", 'amount', n."amount") AS "before",
        jsonb_build_object('uses', n."uses" + 1, 'period_uses', n."periodUses" + 1, 'amount', n."amount" + ${cost}::bigint) AS "after",
        n."limits", n."epoch", COALESCE(n."budgetEpoch", 0) AS "budgetEpoch"
      FROM n
    ), used AS (
      INSERT INTO "RuleUse" ("peckId", "ruleId", "ducklingId", "agentId", "statementId", "state", "cost", "currency", "period", "nextPeriod", "epoch",
        "budgetPeriod", "budgetNextPeriod", "budgetEpoch", "before", "after", "limits", "createdAt", "settleAt")
      SELECT ${peckId}, ${candidate.id}, ${ducklingId}, ${agentId}, ${candidate.statementId}, ${isApproval ? 'reserved' : 'spent'}::"RuleUseState", ${cost}::bigint, ${money?.currency ?? null}::text,
        ${counted.period}::text, ${counted.next}::text, "epoch", ${budgeted === null ? null : (budgeted.period ?? '')}::text, ${budgeted?.next ?? null}::text, "budgetEpoch",
        "before", "after", "limits", ${now}::timestamptz, ${settleAt}::timestamptz
      FROM spent
    )
    SELECT "before", "after" FROM spent`
  const [spent] = rows
  return spent === undefined ? null : { ...spent, until }
}

/** Stores at the end of the transaction what a rule that only watches would have answered. Charges nothing. */
export function storeWatched(
  tx: Tx,
  { candidate, cost }: Verdict,
  { peckId, ducklingId, agentId, now }: Pick<Charge, 'peckId' | 'ducklingId' | 'agentId' | 'now'>,
): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "RuleUse" ("peckId", "ruleId", "ducklingId", "agentId", "statementId", "state", "cost", "currency", "before", "after", "limits", "createdAt", "settleAt")
      VALUES (${peckId}, ${candidate.id}, ${ducklingId}, ${agentId}, ${candidate.statementId}, 'watched', ${cost?.minor ?? 0}::bigint, ${cost?.currency ?? null}::text, '{}', '{}', '{}',
        ${now}::timestamptz, ${now}::timestamptz)`,
  )
}

/** The columns of the use `u` that say which counts have it. */
interface CountedBy {
  epoch: Sql
  /** Empty without periods. */
  period: Sql
  next: Sql
}

const byRule: CountedBy = {
  epoch: sql`u."epoch"`,
  period: sql`COALESCE(u."countedPeriod", u."period", '')`,
  next: sql`u."nextPeriod"`,
}
const byBudget: CountedBy = {
  epoch: sql`u."budgetEpoch"`,
  period: sql`u."budgetPeriod"`,
  next: sql`u."budgetNextPeriod"`,
}

/**
 * The columns of the row `alias` after a use was given back. Counts that began later, because of a change of the limits or with a period to which
 * the use was not charged, stay. Amounts of another currency are in no count that has a currency.
 */
function returned(alias: string, { epoch, period, next }: CountedBy): Sql {
  const row = Prisma.raw(alias)
  const isOfEpoch = sql`${row}."epoch" = ${epoch}`
  const isRunning = sql`(${isOfEpoch} AND (COALESCE(${row}."period", '') = ${period} OR COALESCE(${row}."period" = ${next}, false)))`
  const isNext = sql`(${isOfEpoch} AND COALESCE(${row}."nextPeriod" = ${next}, false))`
  const cost = sql`(CASE WHEN ${row}."currency" IS NULL OR ${row}."currency" = u."currency" THEN u."cost" ELSE 0 END)`
  return sql`"periodUses" = GREATEST(${row}."periodUses" - ${isRunning}::int, 0),
    "amount" = GREATEST(${row}."amount" - ${isRunning}::int * ${cost}, 0),
    "nextUses" = GREATEST(${row}."nextUses" - ${isNext}::int, 0), "nextAmount" = GREATEST(${row}."nextAmount" - ${isNext}::int * ${cost}, 0)`
}

/**
 * Gives back the use of a permission that ended unused, at the end of the transaction. The caller has locked the peck, and nobody can use the
 * permission any more. A second call changes nothing.
 */
export function returnUse(tx: Tx, peckId: string): void {
  beforeCommit(
    tx,
    sql`WITH u AS (
      UPDATE "RuleUse" SET "state" = 'returned' WHERE "peckId" = ${peckId} AND "state" = 'reserved' RETURNING *
    ), r AS (
      UPDATE "Rule" r SET "uses" = GREATEST(r."uses" - 1, 0), ${returned('r', byRule)} FROM u WHERE r."id" = u."ruleId"
    )
    UPDATE "AgentBudget" b SET "uses" = GREATEST(b."uses" - 1, 0), ${returned('b', byBudget)} FROM u
    WHERE b."ducklingId" = u."ducklingId" AND b."agentId" = u."agentId" AND u."budgetPeriod" IS NOT NULL AND b."epoch" = u."budgetEpoch"`,
  )
}
