import { freeTextAction } from '@beak/decision/free-text'
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { joinRow, leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { insertAtEnd, lockName, nameLock, transaction } from '@/lib/db/transaction'
import { bondedAgent } from '@/lib/domain/agents/read'
import { resolveAsker } from '@/lib/domain/handles/holder'
import { settingsColumns } from '@/lib/domain/notifications/settings'
import type { AskerColumns } from '@/lib/domain/pecks/asker-history'
import type { MailFacts } from '@/lib/domain/pecks/mail/announce'
import type { NewPeck } from '@/lib/domain/pecks/new-peck'
import { type RuleFacts, ruleColumns } from '@/lib/domain/pecks/rules/answer'
import { hasApproved, hasPermitted, isDueRejectionAt, isPendingAt } from '@/lib/domain/pecks/state'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { type BudgetColumns, nextTokenAt, tokenTaking } from '@/lib/infrastructure/budgets/budget'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext, Fails } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { countedSeconds, type Rejection, rejectionsOf } from './asking-pause'

/** What decides whether a new peck may be created, and whether the target gets a mail about it. */
export interface RequestFacts extends MailFacts, AskerColumns, RuleFacts {
  /** Since when no rule of the target answers. */
  rulesPausedAt: Date | null
  requesterName: string
  requesterFullName: string | null
  requesterHandle: string | null
  requesterSince: Date
  requesterTier: Tier
  targetName: string
  targetFullName: string | null
  targetHandle: string | null
  targetTier: Tier
  targetRequiresPasskey: boolean
  targetApprover: 'high' | 'all' | null
  minPeckTier: Tier
  /** Whether the target wants to be reached by this asker (lib/domain/pecks/contacts). */
  isAlways: boolean
  /** Whether the target has approved something of this asker, also an answer to free text. */
  hasApproved: boolean
  /** Whether the target has blocked the asker's duckling. */
  isBlocked: boolean
  /** Id of the peck that asks for the same thing. It is still marked as pending but may have expired. */
  identicalId: string | null
  /** The newest rejections of the operator and its agents that can cause a pause. */
  rejections: Rejection[]
  /** What is left of the budget of operator and target. */
  tokens: number | null
  refilledAt: Date | null
  /** Number of pending requests of the operator and all its agents to the target. */
  pendingCount: number
  /** When the first of the pending requests expires. */
  pendingUntil: Date | null
}

/** More known askers than these are not compared with an unknown one. The order of the index has people first, then the newest agents. */
const knownMax = 200

/** Who asks whom, in SQL. */
interface SidesSql {
  requesterDucklingId: Sql
  targetDucklingId: Sql
}

/**
 * The askers from whom the target has approved something, with the people behind them, as JSON. The person who asks is among them only when the
 * target has permitted something: an answer to free text must not vouch for an impostor. Nobody for the target's own agents, which are compared
 * with nobody.
 */
export function knownAskers({ requesterDucklingId, targetDucklingId }: SidesSql): Sql {
  return sql`SELECT coalesce(json_agg(json_build_object('ducklingId', d."id", 'displayName', d."displayName", 'fullName', d."fullName",
      'handle', d."handle", 'agentName', a."name", 'approvedAt', (extract(epoch FROM asker."approvedAt") * 1000)::bigint)), '[]')
    FROM (SELECT "askerId", max("approvedAt") AS "approvedAt", bool_or("action" <> ${freeTextAction}) AS "isPermitted" FROM "AskerHistory"
      WHERE "targetDucklingId" = ${targetDucklingId} AND "approved" > 0 AND "targetDucklingId" <> ${requesterDucklingId}
      GROUP BY "askerId" ORDER BY "askerId" DESC LIMIT ${knownMax}) asker
    ${leftJoinRow('Agent', 'a', 'asker."askerId"')}
    ${joinRow('Duckling', 'd', 'coalesce(a."ducklingId", asker."askerId")')}
    WHERE d."deletedAt" IS NULL AND (asker."isPermitted" OR d."id" <> ${requesterDucklingId})`
}

/**
 * Reads the facts in one statement. Returns null when the target does not exist. Locks both accounts against being closed until
 * the transaction ends. Send it after the lock of operator and target, so that the facts stay true.
 */
export async function readRequestFacts(tx: Tx, request: NewPeck, now: Date): Promise<RequestFacts | null> {
  const { requesterDucklingId, requesterAgentId, askerId, targetDucklingId, action, pendingKey } = request
  const sides = {
    requesterDucklingId: sql`${requesterDucklingId}`,
    targetDucklingId: sql`${targetDucklingId}`,
  }
  const pair = [sql`${targetDucklingId}`, sql`${askerId}`] as const
  const knowsAsker = hasPermitted(...pair)
  const rows = await tx.rows<RequestFacts>`
    SELECT r."displayName" AS "requesterName", r."fullName" AS "requesterFullName", r."handle" AS "requesterHandle",
      r."createdAt" AS "requesterSince", r."trustTier" AS "requesterTier",
      t."displayName" AS "targetName", t."fullName" AS "targetFullName", t."handle" AS "targetHandle", t."trustTier" AS "targetTier", t."requirePasskeyForPecks" AS "targetRequiresPasskey", t."approverCovers" AS "targetApprover", t."minPeckTier",
      EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = ${targetDucklingId} AND b."blockedDucklingId" = ${requesterDucklingId}) AS "isBlocked",
      (contact."alwaysAt" IS NOT NULL) AS "isAlways",
      (SELECT p."id" FROM "Peck" p WHERE p."pendingKey" = ${pendingKey}) AS "identicalId",
      (${rejectionsOf(requesterDucklingId, targetDucklingId, now)}) AS "rejections",
      budget."tokens", budget."refilledAt",
      pending."count" AS "pendingCount", pending."until" AS "pendingUntil",
      (t."emailVerifiedAt" IS NOT NULL AND t."suspendedAt" IS NULL) AS "targetVerified", ${settingsColumns},
      EXISTS (SELECT 1 FROM "Channel" c WHERE c."ducklingId" = ${targetDucklingId}) AS "hasChannels",
      ${hasApproved(...pair)} AS "hasApproved", ${knowsAsker} AS "knowsAsker",
      CASE WHEN ${knowsAsker} THEN '[]' ELSE (${knownAskers(sides)}) END AS "knownAskers",
      t."rulesPausedAt", t."browserLanguage" AS "readerLanguage", ${ruleColumns(request, now)},
      h."approved", h."approvedParams", a."createdAt" AS "agentCreatedAt", k."createdAt" AS "keyCreatedAt",
      CASE WHEN a."madeByPasskey" AND a."ducklingId" = t."id" THEN NOT EXISTS (SELECT 1 FROM "AskerHistory" seen
        WHERE seen."targetDucklingId" = ${targetDucklingId} AND seen."askerId" = ${askerId}) END AS "isFirstOfMade"
    FROM "Duckling" t
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = t."id"
    LEFT JOIN "AskerHistory" h ON h."targetDucklingId" = t."id" AND h."askerId" = ${askerId} AND h."action" = ${action}
    LEFT JOIN "Contact" contact ON contact."ducklingId" = t."id" AND contact."askerId" = ${askerId}
    LEFT JOIN "Budget" budget ON budget."name" = 'ask' AND budget."key" = ${askBudgetKey(request)}
    LEFT JOIN "Agent" a ON a."id" = ${requesterAgentId}
    LEFT JOIN "BeakKey" k ON k."activeFor" = ${requesterAgentId},
    "Duckling" r, (
      SELECT count(*)::int AS "count", min(p."expiresAt") AS "until" FROM "Peck" p
      WHERE p."requesterDucklingId" = ${requesterDucklingId} AND p."targetDucklingId" = ${targetDucklingId}
        AND ${isPendingAt(now, 'p')}
    ) pending
    WHERE t."id" = ${targetDucklingId} AND t."deletedAt" IS NULL AND r."id" = ${requesterDucklingId} AND r."deletedAt" IS NULL
    FOR SHARE OF t, r`
  return rows[0] ?? null
}

/** Returns the name of the lock under which an operator and all its agents ask a target. A block of the operator takes it too. */
export function pairLock(requesterDucklingId: string, targetDucklingId: string): string {
  return `peck:${requesterDucklingId}:${targetDucklingId}`
}

/**
 * Locks the agent of a request, and then its operator and target, until the transaction ends. Returns the name of the agent, or null when a
 * person asks. Throws `agent_not_bonded`, or `asks_owner_only` when the agent may not ask the target.
 */
export async function lockAsker(
  tx: Tx,
  context: Fails<'agent_not_bonded' | 'asks_owner_only'>,
  { requesterDucklingId, requesterAgentId, targetDucklingId }: NewPeck,
): Promise<string | null> {
  const pair = nameLock(pairLock(requesterDucklingId, targetDucklingId))
  if (requesterAgentId === null) {
    await tx.run`SELECT ${pair}`
    return null
  }
  const [row] = await tx.rows<{ name: string | null; asksOthers: boolean }>`
    WITH agent AS MATERIALIZED (${bondedAgent(requesterAgentId)})
    SELECT (SELECT "name" FROM agent) AS "name", (SELECT "asksOthers" FROM agent) AS "asksOthers", ${pair}`
  if (row?.name == null) throw context.fail('agent_not_bonded')
  if (!row.asksOthers && requesterDucklingId !== targetDucklingId) throw context.fail('asks_owner_only')
  return row.name
}

interface Pair {
  requesterDucklingId: string
  targetDucklingId: string
}

const askBudgetKey = ({ requesterDucklingId, targetDucklingId }: Pair): string =>
  `${requesterDucklingId} ${targetDucklingId}`

/** A person's own agents have no budget: the person can suspend them. */
const hasBudget = ({ requesterDucklingId, targetDucklingId }: Pair): boolean =>
  requesterDucklingId !== targetDucklingId

/** Returns when the operator may send the next request, or null when it may send one now. */
export function nextAskAt(pair: Pair, budget: BudgetColumns, now: Date): Date | null {
  return hasBudget(pair) ? nextTokenAt('ask', budget, now) : null
}

/**
 * Takes a request from the budget, at the end of the transaction. Call it under the lock of operator and target, after `nextAskAt`, so that
 * no other request takes the same token.
 */
export function spendAsk(tx: Tx, pair: Pair, now: Date): void {
  if (hasBudget(pair)) insertAtEnd(tx, tokenTaking('ask', askBudgetKey(pair), now))
}

export const LiftedPause = z.object({
  success: z.literal(true),
  duckling_id: z.string(),
  lifted_rejections: z.int().meta({ description: 'How many rejections no longer pause requests.' }),
})

/**
 * Lets a duckling and its agents ask the caller again, although the caller has rejected requests of them. The rejections stay. Without a
 * pause nothing changes, also for an unknown id. `ref`: an id or a handle. Throws `duckling_not_found` for an unknown handle, or the failures of
 * `requireProof` when another session rejected.
 */
export async function liftPause(
  context: DucklingContext<ProofFailure | 'duckling_not_found'>,
  ref: string,
): Promise<z.input<typeof LiftedPause>> {
  const { caller, now } = context
  const ducklingId = await resolveAsker(context, ref, 'duckling_not_found')
  return transaction(async (tx) => {
    // A request that runs at the same time is checked before or after, and never against a part of the rejections.
    await lockName(tx, pairLock(ducklingId, caller.id))
    const isPausing = sql`"requesterDucklingId" = ${ducklingId} AND "targetDucklingId" = ${caller.id} AND "pauseLiftedAt" IS NULL
      AND (("status" = 'rejected' AND "decidedAt" > ${secondsAfter(now, -countedSeconds)}::timestamptz)
        OR (${isDueRejectionAt(now)}))`
    const [ofOthers] = await tx.rows`
      SELECT 1 FROM "Peck" WHERE ${isPausing} AND "decidedBySession" IS DISTINCT FROM ${caller.sessionId} LIMIT 1`
    if (ofOthers !== undefined) await requireProof(tx, context)
    const lifted = await tx.run`UPDATE "Peck" SET "pauseLiftedAt" = ${now}::timestamptz WHERE ${isPausing}`
    if (lifted > 0) record(tx, context, 'peck.unpaused', { targets: [{ type: 'duckling', id: ducklingId }] })
    return { success: true as const, duckling_id: ducklingId, lifted_rejections: lifted }
  })
}
