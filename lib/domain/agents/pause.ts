/**
 * The pause of everything that may happen without asking: rules, permissions, and sign-on by agents. `Duckling.rulesPausedAt` says since when.
 * Nothing ends with it: after the pause, what has not ended meanwhile goes on.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, required } from '@/lib/db/transaction'

/**
 * Returns a column that fails the transaction when the account is paused. Its statement must run after the events of the transaction were stored.
 * Then the transaction holds the chain of the account, which every pause extends too: a pause that has committed is read, and a later pause
 * commits after this transaction.
 */
export const requiredUnpaused = (ducklingId: string): Sql =>
  required(
    sql`NOT EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = ${ducklingId} AND "rulesPausedAt" IS NOT NULL)`,
    'the account is not paused',
  )

/** Throws what `refused` returns when the account is paused. Call it after `record`, for the reason above. */
export function requireUnpaused(tx: Tx, ducklingId: string, refused: () => Error): void {
  beforeCommit(tx, sql`SELECT ${requiredUnpaused(ducklingId)}`, { refused })
}
