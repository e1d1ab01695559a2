/**
 * Budgets of rules (contract C, Rules). A use is reserved with the approval in one guarded statement, which locks the rule and the budget of
 * the agent: simultaneous requests never allow more than there is. A permission that ends unused gives back what it had cost.
 */

import { periodOf } from '@beak/client/verify/rules/period'
import type { Period, Rule } from '@beak/client/verify/rules/rule'
import type { RuleSpent } from '@beak/client/verify/rules/statement'
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { inFlightSeconds } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { Verdict } from './candidate'

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
  /** When the permission ends. */
  until: Date
  now: Date
}

/** What a rule had allowed before and after a use. */
export interface Charged {
  before: RuleSpent
  after: RuleSpent
}

const periodIn = (per: Period | null | undefined, timeZone: string, now: Date) =>
  per == null ? null : periodOf(per, timeZone, now)

/** Returns the period of a rule's budget, or null without periods. */
export const rulePeriod = ({ budget }: Rule, timeZone: string, now: Date): string | null =>
  periodIn(budget?.per, timeZone, now)

/** Tells whether the period in the row `alias` still runs. A clock that is behind never begins an earlier one. */
const runs = (alias: string, period: string | null): Sql =>
  sql`(${period}::text IS NULL OR COALESCE(${Prisma.raw(alias)}."period" COLLATE "C" >= ${period}::text, false))`

/** Tells whether one more use and its cost fit into the limits of the row `alias`. */
function fits(alias: string, period: string | null, cost: number): Sql {
  const row = Prisma.raw(alias)
  const isRunning = runs(alias, period)
  return sql`(${row}."maxUses" IS NULL OR ${row}."uses" < ${row}."maxUses")
    AND (${row}."maxPeriodUses" IS NULL OR (CASE WHEN ${isRunning} THEN ${row}."periodUses" ELSE 0 END) < ${row}."maxPeriodUses")
    AND (${row}."maxAmount" IS NULL OR (CASE WHEN ${isRunning} THEN ${row}."amount" ELSE 0 END) + ${cost}::bigint <= ${row}."maxAmount")`
}

/** The columns of the row `alias` after one more use. */
function added(alias: string, period: string | null, cost: number): Sql {
  const row = Prisma.raw(alias)
  const isRunning = runs(alias, period)
  return sql`"uses" = ${row}."uses" + 1,
    "periodUses" = CASE WHEN ${isRunning} THEN ${row}."periodUses" ELSE 0 END + 1,
    "amount" = CASE WHEN ${isRunning} THEN ${row}."amount" ELSE 0 END + ${cost}::bigint,
    "period" = CASE WHEN ${period}::text IS NULL OR ${isRunning} THEN ${row}."period" ELSE ${period}::text END`
}

/** Charges a rule with an answer, and stores the use. Returns null, and changes nothing, when the budget does not allow it any more. */
export async function charge(tx: Tx, input: Charge): Promise<Charged | null> {
  const { verdict, peckId, ducklingId, agentId, now } = input
  const { candidate, rule, cost: money } = verdict
  const isApproval = verdict.answer === 'approve'
  const period = rulePeriod(rule, candidate.timeZone, now)
  const cost = isApproval ? (money?.minor ?? 0) : 0
  const agentBudget = isApproval ? input.agentBudget : null
  const budgetPeriod = agentBudget === null ? null : periodIn(agentBudget.per, agentBudget.timeZone, now)
  const isOtherCurrency =
    agentBudget?.currency != null && money !== null && money.currency !== agentBudget.currency
  if (isOtherCurrency) return null
  const settleAt = secondsAfter(input.until, inFlightSeconds)
  // The terms of the budget must be those that gave its period. They change with other commands only.
  const isSameBudget =
    agentBudget === null
      ? sql`b."agentId" IS NULL`
      : sql`b."per" IS NOT DISTINCT FROM ${agentBudget.per}::text AND b."timeZone" = ${agentBudget.timeZone}
        AND b."currency" IS NOT DISTINCT FROM ${agentBudget.currency}::text AND ${fits('b', budgetPeriod, cost)}`
  const rows = await tx.rows<Charged>`
    WITH r AS (
      SELECT * FROM "Rule" WHERE "id" = ${candidate.id} AND "status" = 'on' AND "rule" = ${candidate.rule}
        AND "expiresAt" > ${now}::timestamptz FOR NO KEY UPDATE
    ), b AS (
      SELECT * FROM "AgentBudget" WHERE "ducklingId" = ${ducklingId} AND "agentId" = ${agentId} AND ${isApproval}::boolean FOR NO KEY UPDATE
    ), n AS (
      SELECT r."id", r."uses", CASE WHEN ${runs('r', period)} THEN r."periodUses" ELSE 0 END AS "periodUses",
        CASE WHEN ${runs('r', period)} THEN r."amount" ELSE 0 END AS "amount",
        jsonb_build_object('uses', r."maxUses", 'uses_each', r."maxPeriodUses", 'amount', r."maxAmount") AS "limits"
      FROM r LEFT JOIN b ON true WHERE ${fits('r', period, cost)} AND ${isSameBudget}
    ), charged AS (
      UPDATE "Rule" SET ${added('r', period, cost)}, "lastUsedAt" = ${now}::timestamptz
      FROM n, r WHERE "Rule"."id" = n."id"
    ), budgeted AS (
      UPDATE "AgentBudget" SET ${added('b', budgetPeriod, cost)} FROM n, b
      WHERE "AgentBudget"."ducklingId" = b."ducklingId" AND "AgentBudget"."agentId" = b."agentId"
    ), spent AS (
      SELECT jsonb_build_object('uses', n."uses", 'period_uses', n."periodUses", 'amount', n."amount") AS "before",
        jsonb_build_object('uses', n."uses" + 1, 'period_uses', n."periodUses" + 1, 'amount', n."amount" + ${cost}::bigint) AS "after", n."limits"
      FROM n
    ), used AS (
      INSERT INTO "RuleUse" ("peckId", "ruleId", "ducklingId", "agentId", "statementId", "state", "cost", "currency", "period", "budgetPeriod", "before", "after", "limits", "createdAt", "settleAt")
      SELECT ${peckId}, ${candidate.id}, ${ducklingId}, ${agentId}, ${candidate.statementId}, ${isApproval ? 'reserved' : 'spent'}::"RuleUseState", ${cost}::bigint, ${money?.currency ?? null}::text,
        ${period}::text, ${agentBudget === null ? null : (budgetPeriod ?? '')}::text, "before", "after", "limits", ${now}::timestamptz, ${settleAt}::timestamptz
      FROM spent
    )
    SELECT "before", "after" FROM spent`
  return rows[0] ?? null
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

/** The columns of the row `alias` after a use was given back. `period`: that of the use. What another period has allowed stays. */
const returned = (alias: string, period: Sql): Sql => {
  const row = Prisma.raw(alias)
  const isRunning = sql`COALESCE(${row}."period", '') = COALESCE(${period}, '')`
  return sql`"uses" = GREATEST(${row}."uses" - 1, 0),
    "periodUses" = CASE WHEN ${isRunning} THEN GREATEST(${row}."periodUses" - 1, 0) ELSE ${row}."periodUses" END,
    "amount" = CASE WHEN ${isRunning} THEN GREATEST(${row}."amount" - u."cost", 0) ELSE ${row}."amount" END`
}

/**
 * Gives back the use of a permission that ended unused, at the end of the transaction. The caller has locked the peck, and nobody can use the
 * permission any more. A second call changes nothing.
 */
export function returnUse(tx: Tx, peckId: string): void {
  beforeCommit(
    tx,
    sql`WITH u AS (
      UPDATE "RuleUse" SET "state" = 'returned' WHERE "peckId" = ${peckId} AND "state" = 'reserved'
      RETURNING "ruleId", "ducklingId", "agentId", "cost", "period", "budgetPeriod"
    ), r AS (
      UPDATE "Rule" r SET ${returned('r', sql`u."period"`)} FROM u WHERE r."id" = u."ruleId"
    )
    UPDATE "AgentBudget" b SET ${returned('b', sql`u."budgetPeriod"`)} FROM u
    WHERE b."ducklingId" = u."ducklingId" AND b."agentId" = u."agentId" AND u."budgetPeriod" IS NOT NULL`,
  )
}
