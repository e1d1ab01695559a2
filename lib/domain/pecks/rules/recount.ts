/**
 * What counts after a change of the limits of a rule or of an agent. A narrower budget must not give back what was used, and a
 * new limit must not give back what was reserved before. So the counts are made again from the uses themselves, in a new epoch.
 */
import type { Period } from '@beak/proofs/rules/rule'
import type { Tx } from '@/lib/db/client'
import type { AgentBudget, Rule as RuleRow } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { periodEnd, periodIn, periodStart } from '@/lib/domain/rules/lifetime'
import { shortenUnused, usesOfAgent, usesOfRule } from './unused'

type Limits = Pick<RuleRow, 'currency' | 'per'>
type Counts = Pick<
  RuleRow,
  'epoch' | 'period' | 'periodUses' | 'amount' | 'nextPeriod' | 'nextUses' | 'nextAmount'
>

/** Amounts of two currencies cannot be added, and neither can what counted in a day and in a month. */
const countAsBefore = (before: Limits, after: Limits) =>
  before.per === after.per && before.currency === after.currency

/**
 * Returns the counts of a locked rule after a change of its limits: those of before, or what it allowed so far in the new currency, in the
 * running period or in all. Its permissions end with the new period.
 */
export async function recountRule(tx: Tx, row: RuleRow, after: Limits, now: Date): Promise<Partial<Counts>> {
  if (countAsBefore(row, after)) return {}
  const epoch = row.epoch + 1
  const stamp = (period: string | null) =>
    sql`"epoch" = ${epoch}::int, "countedPeriod" = ${period ?? ''}::text, "nextPeriod" = NULL`
  const { counts } = await recount(tx, {
    of: usesOfRule(row.id),
    stamp,
    after,
    timeZone: row.timeZone,
    now,
    since: sql`true`,
  })
  return { epoch, ...counts }
}

/**
 * Returns the counts of a locked budget of an agent after a change. `before`: null for a new one, which begins with what rules allowed the agent
 * in the running period. Without periods, it begins with the permissions that nobody has used.
 */
export async function recountAgent(
  tx: Tx,
  { ducklingId, agentId, timeZone }: Pick<AgentBudget, 'ducklingId' | 'agentId' | 'timeZone'>,
  { before, after, now }: { before: AgentBudget | null; after: Limits; now: Date },
): Promise<Partial<Counts & Pick<AgentBudget, 'uses'>>> {
  if (before !== null && countAsBefore(before, after)) return {}
  const uses = usesOfAgent(ducklingId, agentId)
  const epoch = 1 + (before?.epoch ?? (await lastEpoch(tx, uses)))
  const stamp = (period: string | null) =>
    sql`"budgetEpoch" = ${epoch}::int, "budgetPeriod" = ${period ?? ''}::text, "budgetNextPeriod" = NULL`
  const { counts, unused } = await recount(tx, {
    of: uses,
    isCounted: sql`p."status" = 'approved'`,
    stamp,
    after,
    timeZone,
    now,
    since: sql`false`,
  })
  return { epoch, ...counts, ...(before === null ? { uses: unused } : {}) }
}

/** Returns the epoch of the last budget of an agent that still has uses. */
async function lastEpoch(tx: Tx, uses: Sql): Promise<number> {
  const [found] = await tx.rows<{ epoch: number }>`
    SELECT COALESCE(max(u."budgetEpoch"), 0) AS "epoch" FROM "RuleUse" u WHERE ${uses} AND u."state" = 'reserved'`
  return found?.epoch ?? 0
}

interface Recount {
  /** Selects the uses `u`. */
  of: Sql
  /** Sets the columns of a use that may still go back: which counts have it from now on. */
  stamp(period: string | null): Sql
  after: Limits
  timeZone: string
  now: Date
  /** Which of the requests `p` count. */
  isCounted?: Sql
  /** Which used permissions count without periods. */
  since: Sql
}

async function recount(
  tx: Tx,
  { of, stamp, after: { per, currency }, timeZone, now, since, isCounted = sql`true` }: Recount,
): Promise<{ counts: Omit<Counts, 'epoch'>; unused: number }> {
  const length = per as Period | null
  const period = periodIn({ per: length, timeZone }, now)
  const start = length === null ? null : periodStart(length, timeZone, now)
  const isOfPeriod =
    start === null
      ? since
      : sql`(u."createdAt" >= ${start}::timestamptz OR p."lastUsedAt" >= ${start}::timestamptz)`
  const [counted] = await tx.rows<{ periodUses: number; amount: string; unused: number }>`
    WITH counted AS (
      SELECT u."peckId", u."ruleId", u."cost", u."currency", u."state" = 'reserved' AND p."uses" = 0 AS "isUnused"
      FROM "RuleUse" u JOIN "Peck" p ON p."id" = u."peckId"
      WHERE ${of} AND ${isCounted} AND u."state" IN ('reserved', 'spent') AND (${isOfPeriod} OR (u."state" = 'reserved' AND p."uses" = 0))
    ), stamped AS (
      UPDATE "RuleUse" u SET ${stamp(period)} FROM counted c
      WHERE u."peckId" = c."peckId" AND u."ruleId" = c."ruleId" AND c."isUnused" AND u."state" = 'reserved'
    )
    SELECT count(*)::int AS "periodUses", (count(*) FILTER (WHERE "isUnused"))::int AS "unused",
      COALESCE(sum("cost") FILTER (WHERE ${currency}::text IS NULL OR "currency" = ${currency}::text), 0)::text AS "amount"
    FROM counted`
  if (length !== null) await shortenUnused(tx, of, periodEnd(length, timeZone, now), now)
  const { periodUses, amount, unused } = counted ?? { periodUses: 0, amount: '0', unused: 0 }
  return {
    counts: {
      period,
      periodUses,
      amount: BigInt(amount),
      nextPeriod: null,
      nextUses: 0,
      nextAmount: 0n,
    },
    unused,
  }
}
