/**
 * Budgets per day (contract A, Limits): token buckets in the database, because a day outlasts processes and a budget holds over all
 * instances. A bucket without a row is full.
 */
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { config } from '@/lib/kernel/config'
import type { DailyLimitGroup, Rate } from '@/lib/kernel/config/limits'
import type { Fails } from '@/lib/kernel/request/context'
import { secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'

/** The columns of a bucket. Null when it has no row. */
export interface BudgetColumns {
  tokens: number | null
  refilledAt: Date | null
}

/** Returns when the next token of a bucket is available: null when it is available now. */
export function nextTokenAt(
  group: DailyLimitGroup,
  { tokens, refilledAt }: BudgetColumns,
  now: Date,
): Date | null {
  if (tokens === null || refilledAt === null) return null
  const { perMinute, burst } = config().limits[group]
  const minutes = Math.max(0, now.getTime() - refilledAt.getTime()) / 60_000
  const present = Math.min(burst, tokens + minutes * perMinute)
  return present >= 1 ? null : secondsAfter(now, ((1 - present) / perMinute) * 60)
}

/** The tokens of the bucket `b` at `now`. */
const refilled = ({ perMinute, burst }: Rate, now: Date): Sql =>
  sql`LEAST(${burst}::float8, b."tokens"
    + GREATEST(0, extract(epoch FROM ${now}::timestamptz - b."refilledAt")) / 60 * ${perMinute}::float8)`

/**
 * Takes one token of the bucket `key`, in one guarded statement: it changes a row exactly when a token was available, so simultaneous
 * calls cannot take more than there are.
 */
export function tokenTaking(group: DailyLimitGroup, key: string, now: Date): Sql {
  const rate = config().limits[group]
  return sql`
    INSERT INTO "Budget" AS b ("name", "key", "tokens", "refilledAt")
    VALUES (${group}, ${key}, ${rate.burst}::float8 - 1, ${now}::timestamptz)
    ON CONFLICT ("name", "key") DO UPDATE SET
      "tokens" = ${refilled(rate, now)} - 1, "refilledAt" = GREATEST(b."refilledAt", EXCLUDED."refilledAt")
    WHERE ${refilled(rate, now)} >= 1`
}

/** Takes one token of the bucket `key` before other work. Throws `rate_limited` with the seconds until the next token. */
export async function spendToken(
  { now, fail }: { now: Date } & Fails<'rate_limited'>,
  group: DailyLimitGroup,
  key: string,
): Promise<void> {
  if ((await db().run`${tokenTaking(group, key, now)}`) === 1) return
  const bucket = await db().budget.findUnique({ where: { name_key: { name: group, key } } })
  const next = bucket === null ? null : nextTokenAt(group, bucket, now)
  throw fail('rate_limited', { retry_after: next === null ? 1 : secondsUntil(next, now) })
}
