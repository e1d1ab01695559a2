import type { Tx } from '@/lib/db/client'
import { joinRow, leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { settingsColumns } from '@/lib/domain/notifications/settings'
import type { AskerColumns } from '@/lib/domain/pecks/asker-history'
import type { MailFacts } from '@/lib/domain/pecks/mail/announce'
import type { NewPeck } from '@/lib/domain/pecks/new-peck'
import { type RuleFacts, ruleColumns } from '@/lib/domain/pecks/rules/answer'
import { isPendingAt } from '@/lib/domain/pecks/state'
import type { Tier } from '@/lib/kernel/tier'
import { askBudgetKey } from './ask-budget'
import type { Rejection } from './asking-pause'
import { rejectionsOf } from './rejections'

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
 * The askers from whom the target has approved something, with the people behind them, as JSON. Nobody for the target's own agents, which
 * are compared with nobody.
 */
export function knownAskers({ requesterDucklingId, targetDucklingId }: SidesSql): Sql {
  return sql`SELECT coalesce(json_agg(json_build_object('ducklingId', d."id", 'displayName', d."displayName", 'fullName', d."fullName",
      'handle', d."handle", 'agentName', a."name", 'approvedAt', (extract(epoch FROM asker."approvedAt") * 1000)::bigint)), '[]')
    FROM (SELECT "askerId", max("approvedAt") AS "approvedAt" FROM "AskerHistory"
      WHERE "targetDucklingId" = ${targetDucklingId} AND "approved" > 0 AND "targetDucklingId" <> ${requesterDucklingId}
      GROUP BY "askerId" ORDER BY "askerId" DESC LIMIT ${knownMax}) asker
    ${leftJoinRow('Agent', 'a', 'asker."askerId"')}
    ${joinRow('Duckling', 'd', 'coalesce(a."ducklingId", asker."askerId")')}
    WHERE d."deletedAt" IS NULL`
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
  const knowsAsker = sql`EXISTS (SELECT 1 FROM "AskerHistory" h
    WHERE h."targetDucklingId" = ${targetDucklingId} AND h."askerId" = ${askerId} AND h."approved" > 0)`
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
      ${knowsAsker} AS "knowsAsker",
      CASE WHEN ${knowsAsker} THEN '[]' ELSE (${knownAskers(sides)}) END AS "knownAskers",
      t."rulesPausedAt", ${ruleColumns(request, now)},
      h."approved", h."approvedParams", a."createdAt" AS "agentCreatedAt", k."createdAt" AS "keyCreatedAt"
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
