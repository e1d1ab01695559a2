/** Remembers what a shop has accepted, so that it accepts nothing twice, whatever the service answers. */

import { digestOf } from '@beak/proofs/receipts/decision-statement'
import type { RuleFacts } from '@beak/proofs/receipts/rule'
import { budgetAmount } from '@beak/proofs/rules/judge'
import type { Rule } from '@beak/proofs/rules/rule'
import { type RunSql, runnerOf, type SqlOptions } from './sql'

/** What a shop has accepted: one-use permissions, challenges, and the sums of rules. All processes of a shop must share one store. */
export interface UsedStore {
  /**
   * Stores `owner` under `key` unless the key has an owner, in one step, and returns the owner that is stored. Of simultaneous calls with
   * different owners, all return the same owner. The entry may be deleted after `until`, and must not be deleted before. Without `until`, it
   * must be kept.
   */
  claim(key: string, owner: string, until?: Date): string | Promise<string>
  /**
   * Stores `owner` under `key` in place of `expected`, in one step, and returns whether the key had `expected`. Of simultaneous calls with the
   * same `expected`, one returns true. Only a shop that accepts rules needs it, to sum what it accepted.
   */
  replace?(key: string, expected: string, owner: string): boolean | Promise<boolean>
}

/** A smaller store is not searched for entries that have expired. */
const cleanupMin = 1000

/**
 * Returns a store in the memory of this process. It is empty after a restart and unknown to other processes: use it only together with
 * challenges whose secret ends with the process, too.
 */
export function memoryUsed(): Required<UsedStore> {
  const entries = new Map<string, { owner: string; until: number }>()
  let cleanupSize = cleanupMin
  const cleanUp = () => {
    const now = Date.now()
    for (const [key, { until }] of entries) if (until < now) entries.delete(key)
    // Waits until the store has doubled, so that a claim takes the same time on average however large the store is.
    cleanupSize = Math.max(cleanupMin, entries.size * 2)
  }
  return {
    claim(key, owner, until) {
      const known = entries.get(key)
      if (known !== undefined) return known.owner
      if (entries.size >= cleanupSize) cleanUp()
      entries.set(key, { owner, until: until?.getTime() ?? Number.POSITIVE_INFINITY })
      return owner
    },
    replace(key, expected, owner) {
      const known = entries.get(key)
      if (known?.owner !== expected) return false
      entries.set(key, { ...known, owner })
      return true
    },
  }
}

/** The update of an existing row changes nothing: it makes the statement return the row. */
const claimText = `INSERT INTO beak_used (key, owner, until) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING owner`
const replaceText = 'UPDATE beak_used SET owner = ? WHERE key = ? AND owner = ? RETURNING owner'

/**
 * Returns a store in a table of PostgreSQL or SQLite (3.35 or newer), for all processes of a shop. Create the table first, and delete rows
 * whose `until` (in seconds since 1970) has passed when you like:
 *
 * ```sql
 * CREATE TABLE beak_used (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT);
 * DELETE FROM beak_used WHERE until < extract(epoch FROM now());
 * ```
 */
export function sqlUsed(run: RunSql, options: SqlOptions = {}): Required<UsedStore> {
  const query = runnerOf(run, options)
  return {
    async claim(key, owner, until) {
      const seconds = until === undefined ? null : Math.ceil(until.getTime() / 1000)
      const [row] = await query(claimText, [key, owner, seconds])
      if (typeof row?.owner !== 'string') throw new Error('The table beak_used returned no owner.')
      return row.owner
    },
    async replace(key, expected, owner) {
      return (await query(replaceText, [owner, key, expected])).length > 0
    },
  }
}

/**
 * Sums what a shop has accepted by a rule. How much of the budget was spent before is the word of the service, and `before` of receipts cannot be
 * compared: unused permissions lower it, and uses arrive in another order. So the shop counts itself, by the statement that the passkey signed.
 */

/** What a shop has accepted by one statement of a rule. A rule without periods has one, whose name is empty. */
interface RuleSum {
  uses: number
  /** Money is in the minor unit of the currency of the budget. */
  periods: Record<string, { uses: number; amount: number }>
}

const nothing: RuleSum = { uses: 0, periods: {} }

/** A store that can sum. */
export type SummingStore = UsedStore & Required<Pick<UsedStore, 'replace'>>

export const canSum = (store: UsedStore | undefined): store is SummingStore => store?.replace !== undefined

/**
 * Adds one use to the sum of a rule in one step, unless the sum would exceed what the signed rule allows. Returns whether it did. The caller adds
 * each permission once. The sum is kept: until when it is needed depends on the policies of all shops that share the store.
 */
export async function addUse(
  store: SummingStore,
  { statement, budget }: Pick<RuleFacts, 'statement' | 'budget'>,
): Promise<boolean> {
  const key = `rule:${digestOf(statement)}`
  for (;;) {
    const kept = await store.claim(key, JSON.stringify(nothing))
    const sum = sumAfter(kept, statement.rule, budget)
    if (sum === null) return false
    if (await store.replace(key, kept, sum)) return true
  }
}

/** Returns the text of the sum with one more use, or null when the rule does not allow it. Throws for a text that is no sum. */
function sumAfter(
  kept: string,
  { budget: limits = {} }: Rule,
  { cost, period }: Pick<RuleFacts['budget'], 'cost' | 'period'>,
): string | null {
  const sum = JSON.parse(kept) as RuleSum
  // The service may narrow a rule without periods to periods, but the person signed none.
  const name = limits.per === undefined ? '' : (period ?? '')
  const before = sum.periods[name] ?? { uses: 0, amount: 0 }
  const uses = sum.uses + 1
  const after = { uses: before.uses + 1, amount: before.amount + cost }
  const isWithin =
    uses <= (limits.uses ?? Number.POSITIVE_INFINITY) &&
    after.uses <= (limits.uses_each ?? Number.POSITIVE_INFINITY) &&
    after.amount <= (budgetAmount({ budget: limits })?.minor ?? Number.POSITIVE_INFINITY)
  return isWithin ? JSON.stringify({ uses, periods: { ...sum.periods, [name]: after } }) : null
}
