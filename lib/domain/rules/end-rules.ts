/** A rule that may answer a request, and what it answers. */

import type { ExactMoney } from '@beak/proofs/rules/money'
import type { Rule } from '@beak/proofs/rules/rule'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { CallerContext } from '@/lib/kernel/request/context'
import { ruleSentence } from './sentence'

/** Selects rules that reject or ask. What such a rule says is asked until its owner ends it with a proof, also after its time. */
export const forbidding: Sql = sql`("answer" <> 'approve' AND NOT "watches")`

/** Tells whether a rule rejects or asks. */
export const forbids = ({ answer, watches }: { answer: string; watches: boolean }): boolean =>
  answer !== 'approve' && !watches

/** A rule as a request reads it. */
export interface CandidateRule {
  id: string
  /** False: it is paused, or one that forbids has expired. It answers nothing, and the person is asked what it would have answered. */
  answers: boolean
  /** Canonical JSON. */
  rule: string
  watches: boolean
  timeZone: string
  statementId: string
  /** ISO 8601. */
  expiresAt: string
  /** The version of the rules of risk when the passkey signed. */
  riskVersion: number
  /** The version of the rules of risk whose new high reasons were mailed. */
  reportedRisk: number | null
}

/** What a rule answers to a request. */
export interface Verdict {
  candidate: CandidateRule
  rule: Rule
  answer: 'approve' | 'reject'
  /** What the request costs. Null: no money. */
  cost: ExactMoney | null
}

/**
 * Ends or pauses rules when something else happens (contract D3): an agent is retired, an account closed, a tier lost, an asker blocked. The
 * rules of a suspended agent answer nothing, because it cannot ask.
 */

type EndReason = 'expired' | 'agent_retired' | 'account_closed' | 'asker_blocked' | 'reclaimed'

/** Selects the rules of a person, and the rules of others for all agents of the person. */
export const rulesOf = (ducklingId: string): Sql =>
  sql`("ducklingId" = ${ducklingId} OR "subjectId" = ${ducklingId})`

/** A rule that ended, and whose it was. */
export interface EndedRule {
  id: string
  ducklingId: string
}

/** Returns the ids of those rules that are a person's own, in their order. Rules of others are none of that person's business. */
export const ownRules = (ended: readonly EndedRule[], ducklingId: string): string[] =>
  ended.flatMap((rule) => (rule.ducklingId === ducklingId ? [rule.id] : [])).sort()

/**
 * Ends living rules that `where` selects, with an event in the log of each owner. The worker revokes what they gave and nobody has used. Returns
 * the rules.
 */
export async function endRules(
  tx: Tx,
  context: CallerContext,
  { where, reason, isSystem = false }: { where: Sql; reason: EndReason; isSystem?: boolean },
): Promise<EndedRule[]> {
  const ended = await tx.rows<EndedRow>`
    UPDATE "Rule" SET "status" = 'ended', "reason" = ${reason}, "endedAt" = ${context.now}::timestamptz
    WHERE "status" <> 'ended' AND ${where} RETURNING "id", "ducklingId", "rule", "expiresAt"`
  recordEnded(tx, context, ended, { reason, isSystem })
  return ended
}

type EndedRow = Pick<RuleRow, 'id' | 'ducklingId' | 'rule' | 'expiresAt'>

/** Records the end of rules, with an event in the log of each owner. The worker revokes what they gave and nobody has used. */
function recordEnded(
  tx: Tx,
  context: CallerContext,
  ended: readonly EndedRow[],
  { reason, isSystem }: { reason: EndReason; isSystem: boolean },
): void {
  for (const row of ended)
    record(tx, context, 'rule.ended', {
      concerning: [row.ducklingId],
      ...(isSystem ? { actor: systemActor } : {}),
      targets: [{ type: 'rule', id: row.id }],
      metadata: { reason },
      data: {
        rule_id: row.id,
        sentence: ruleSentence(JSON.parse(row.rule) as Rule, row.expiresAt),
        peck_id: null,
        action: null,
        reason,
      },
    })
  enqueueRevocations(tx, context.now, ended, 'rule_ended')
}

/** Enqueues the revocation of what rules gave and nobody has used, with an event for each permission. */
function enqueueRevocations(
  tx: Tx,
  now: Date,
  rules: readonly { id: string }[],
  cause: OutboxPayloads['revoke_by_rules']['cause'],
): void {
  const ids = rules.map(({ id }) => id)
  if (ids.length > 0) enqueue(tx, now, 'revoke_by_rules', { rule_ids: ids, cause })
}

interface Pause {
  ducklingId: string
  /** Selects among the rules of the person that answer. */
  where: Sql
  reason: 'passkey_removed' | 'tier_lowered' | 'reclaimed'
  isSystem?: boolean
}

/** Pauses rules of a person, with one event. Resuming each needs a signature. The person is asked what they would have answered. */
export async function pauseRules(
  tx: Tx,
  context: CallerContext,
  { ducklingId, where, reason, isSystem = false }: Pause,
): Promise<void> {
  const paused = await tx.rows<{ id: string }>`
    UPDATE "Rule" SET "status" = 'paused', "reason" = ${reason}
    WHERE "ducklingId" = ${ducklingId} AND "status" = 'on' AND ${where} RETURNING "id"`
  const ids = paused.map(({ id }) => id).sort()
  if (ids.length > 0)
    record(tx, context, 'rule.paused', {
      concerning: [ducklingId],
      ...(isSystem ? { actor: systemActor } : {}),
      targets: ids.map((id) => ({ type: 'rule', id })),
      metadata: { reason },
    })
}

/**
 * Pauses the rules of an account that a removed passkey signed: its owner may not have been the one who signed. Resuming needs a signature of
 * another passkey. The worker revokes what they gave and nobody has used.
 */
export async function pauseSigned(
  tx: Tx,
  context: CallerContext,
  ducklingId: string,
  passkeyIds: string[],
): Promise<void> {
  if (passkeyIds.length === 0) return
  const isSigned = sql`s."proof" ->> 'passkey_id' = ANY(${passkeyIds}::text[])`
  const where = sql`EXISTS (SELECT 1 FROM "RuleStatement" s WHERE s."id" = "Rule"."statementId" AND ${isSigned})`
  await pauseRules(tx, context, { ducklingId, where, reason: 'passkey_removed' })
  // Another passkey may have signed the rule since it gave a permission.
  const gave = sql`EXISTS (SELECT 1 FROM "RuleUse" u JOIN "RuleStatement" s ON s."id" = u."statementId"
    WHERE u."ruleId" = "Rule"."id" AND u."state" = 'reserved' AND ${isSigned})`
  const signed = await tx.rows<{ id: string }>`
    SELECT "id" FROM "Rule" WHERE "ducklingId" = ${ducklingId} AND "status" <> 'ended' AND (${where} OR ${gave})`
  enqueueRevocations(tx, context.now, signed, 'passkey_removed')
}

/** Pauses the rules of a person whose tier fell to T1 that are for the agents of others. Those for the person's own agents go on. */
export async function pauseForOthers(tx: Tx, context: CallerContext, ducklingId: string): Promise<void> {
  const where = sql`"subjectId" <> ${ducklingId} AND "subjectId" NOT IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId})`
  await pauseRules(tx, context, { ducklingId, where, reason: 'tier_lowered', isSystem: true })
}

const batchSize = 100

/**
 * Ends rules whose time is over. Called by the worker. They have answered nothing since. One that forbids is only paused: its owner is asked what
 * it would have answered, until the owner ends or renews it. Its event is the same.
 */
export async function endExpiredRules(now: Date): Promise<void> {
  for (;;) {
    const due = await db().rows<{ id: string }>`
      SELECT "id" FROM "Rule" WHERE "status" <> 'ended' AND "expiresAt" <= ${now}::timestamptz AND "reason" IS DISTINCT FROM 'expired'
      ORDER BY "expiresAt" LIMIT ${batchSize}`
    const ids = due.map(({ id }) => id)
    if (ids.length === 0) return
    const context: CallerContext = { now, caller: null, ip: null, userAgent: null, requestId: null }
    await transaction(async (tx) => {
      const isDue = sql`"id" = ANY(${ids}::text[]) AND "expiresAt" <= ${now}::timestamptz`
      const terms = { reason: 'expired', isSystem: true } as const
      const paused = await tx.rows<EndedRow>`
        UPDATE "Rule" SET "status" = 'paused', "reason" = 'expired' WHERE "status" <> 'ended' AND ${isDue} AND ${forbidding}
          AND "reason" IS DISTINCT FROM 'expired' RETURNING "id", "ducklingId", "rule", "expiresAt"`
      recordEnded(tx, context, paused, terms)
      await endRules(tx, context, { where: sql`${isDue} AND NOT ${forbidding}`, ...terms })
    })
    if (due.length < batchSize) return
  }
}

/** Deletes the rules of an account. What they answered stays with the requests of others, as proof for their receipts (docs/privacy.md). */

export async function eraseRules(tx: Tx, ducklingId: string): Promise<void> {
  await tx.ruleUse.deleteMany({ where: { ducklingId, state: 'watched' } })
  await tx.run`
    DELETE FROM "RuleStatement" s USING "Rule" r WHERE r."id" = s."ruleId" AND r."ducklingId" = ${ducklingId}
      AND NOT EXISTS (SELECT 1 FROM "RuleUse" u WHERE u."ruleId" = r."id" AND u."statementId" = s."id")`
  await tx.rule.deleteMany({ where: { ducklingId } })
  await tx.ruleReport.deleteMany({ where: { ducklingId } })
  await tx.agentBudget.deleteMany({ where: { ducklingId } })
}
