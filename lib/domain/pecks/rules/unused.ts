/**
 * The permissions that rules gave and that nobody has used: they end with their rule, and no later than the rule and the periods of its budget.
 * Commands lock them before the rule, as the revocation of a permission does.
 */
import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'
import { recordPeck } from '@/lib/domain/pecks/record'
import { readPecks } from '@/lib/domain/pecks/rows'
import { returnUse } from '@/lib/domain/rules/charge'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import { inFlightSeconds } from '@/lib/infrastructure/events/chain'
import type { EndCause } from '@/lib/infrastructure/events/kinds/peck-data'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { systemActor } from '@/lib/infrastructure/events/record'
import { type CallerContext, type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { findRule } from './rows'

/** The uses `u` of one rule. */
export const usesOfRule = (ruleId: string): Sql => sql`u."ruleId" = ${ruleId}`

/** The uses `u` of all rules of a person by one agent. */
export const usesOfAgent = (ducklingId: string, agentId: string): Sql =>
  sql`u."ducklingId" = ${ducklingId} AND u."agentId" = ${agentId}`

const ofUses = (uses: Sql): Sql =>
  sql`"id" IN (SELECT u."peckId" FROM "RuleUse" u WHERE ${uses} AND u."state" = 'reserved')`

/** Locks the active permissions of these uses in the order of their ids. */
export async function lockUnused(tx: Tx, uses: Sql, now: Date): Promise<void> {
  await tx.run`SELECT 1 FROM "Peck" WHERE ${ofUses(uses)} AND ${isActiveGrant(now)} ORDER BY "id" FOR NO KEY UPDATE`
}

/** Lets the active permissions of these uses end at `until` unless they end earlier. */
export async function shortenUnused(tx: Tx, uses: Sql, until: Date, now: Date): Promise<void> {
  await tx.run`
    WITH shortened AS (
      UPDATE "Peck" SET "grantExpiresAt" = ${until}::timestamptz
      WHERE ${ofUses(uses)} AND ${isActiveGrant(now)} AND "grantExpiresAt" > ${until}::timestamptz RETURNING "id"
    )
    UPDATE "RuleUse" u SET "settleAt" = ${secondsAfter(until, inFlightSeconds)}::timestamptz
    FROM shortened WHERE u."peckId" = shortened."id" AND u."state" = 'reserved'`
}

/**
 * Revokes the active permissions of a rule, and records it for both sides. Their uses go back. Returns the ids of their requests. `isSystem`: a
 * worker does what a command began.
 */
export async function revokeUnused(
  tx: Tx,
  context: CallerContext,
  { ruleId, cause, isSystem = false }: { ruleId: string; cause: EndCause; isSystem?: boolean },
): Promise<string[]> {
  const { now } = context
  const revoked = await readPecks(
    tx,
    sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
      WHERE ${ofUses(usesOfRule(ruleId))} AND ${isActiveGrant(now)} RETURNING *`,
  )
  for (const peck of revoked) {
    returnUse(tx, peck.id)
    recordPeck(tx, context, 'peck.revoked', peck, {
      ...(isSystem ? { actor: systemActor } : {}),
      cause,
      metadata: { rule_id: ruleId, ...enqueueRevocation(tx, peck, now) },
    })
  }
  return revoked.map(({ id }) => id).sort()
}

/** Revokes what rules gave that have ended or lost their passkey. A second call changes nothing. Called by the worker. */
export async function revokeForWorker(
  { rule_ids, cause }: OutboxPayloads['revoke_by_rules'],
  now: Date,
): Promise<void> {
  for (const ruleId of rule_ids)
    await transaction((tx) => revokeUnused(tx, systemContext(now), { ruleId, cause, isSystem: true }))
}

/** Returns how many active permissions end with a rule of the caller. Throws `rule_not_found`. */
export async function previewRuleEnd(
  context: DucklingContext<'rule_not_found'>,
  ruleId: string,
): Promise<{ rule_id: string; active_grants: number }> {
  await findRule(context, ruleId)
  const [found] = await db().rows<{ count: number }>`
    SELECT count(*)::int AS "count" FROM "Peck" WHERE ${ofUses(usesOfRule(ruleId))} AND ${isActiveGrant(context.now)}`
  return { rule_id: ruleId, active_grants: found?.count ?? 0 }
}
