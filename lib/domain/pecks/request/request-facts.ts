import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { settingsColumns } from '@/lib/domain/notifications/settings'
import type { AskerColumns } from '@/lib/domain/pecks/asker-history'
import type { MailFacts } from '@/lib/domain/pecks/mail/announce'
import { secondsAfter } from '@/lib/kernel/clock'
import type { Tier } from '@/lib/kernel/tier'
import { askBudgetKey } from './ask-budget'
import { countedSeconds, type Rejection, rejectionsMax } from './asking-pause'
import type { NewPeck } from './new-peck'

/** What decides whether a new peck may be created, and whether the target gets a mail about it. */
export interface RequestFacts extends MailFacts, AskerColumns {
  requesterName: string
  requesterTier: Tier
  targetName: string
  targetTier: Tier
  targetRequiresPasskey: boolean
  minPeckTier: Tier
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

/** More known askers than these are not compared with an unknown one. */
const knownMax = 200

/** The names of other operators and their agents, from whom the target has approved something. A person's own agents look like nobody. */
function knownNames({ requesterDucklingId, targetDucklingId }: NewPeck): Sql {
  return sql`SELECT DISTINCT coalesce(a."name", d."displayName") AS "name"
    FROM (SELECT DISTINCT "askerId" FROM "AskerHistory"
      WHERE "targetDucklingId" = ${targetDucklingId} AND "approved" > 0 AND "targetDucklingId" <> ${requesterDucklingId}
      LIMIT ${knownMax}) asker
    LEFT JOIN "Agent" a ON a."id" = asker."askerId"
    LEFT JOIN "Duckling" d ON d."id" = asker."askerId"
    WHERE coalesce(a."ducklingId", d."id") <> ${requesterDucklingId}`
}

/**
 * Reads the facts in one statement. Returns null when the target does not exist. Locks both accounts against being closed until
 * the transaction ends. Send it after the lock of operator and target, so that the facts stay true.
 */
export async function readRequestFacts(tx: Tx, request: NewPeck, now: Date): Promise<RequestFacts | null> {
  const { requesterDucklingId, requesterAgentId, askerId, targetDucklingId, action, pendingKey } = request
  const knowsAsker = sql`EXISTS (SELECT 1 FROM "AskerHistory" h
    WHERE h."targetDucklingId" = ${targetDucklingId} AND h."askerId" = ${askerId} AND h."approved" > 0)`
  const rows = await tx.rows<RequestFacts>`
    SELECT r."displayName" AS "requesterName", r."trustTier" AS "requesterTier",
      t."displayName" AS "targetName", t."trustTier" AS "targetTier", t."requirePasskeyForPecks" AS "targetRequiresPasskey", t."minPeckTier",
      EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = ${targetDucklingId} AND b."blockedDucklingId" = ${requesterDucklingId}) AS "isBlocked",
      (SELECT p."id" FROM "Peck" p WHERE p."pendingKey" = ${pendingKey}) AS "identicalId",
      (SELECT coalesce(json_agg(json_build_object('at', (extract(epoch FROM p."decidedAt") * 1000)::bigint, 'action', p."action")), '[]')
        FROM (SELECT p."decidedAt", p."action" FROM "Peck" p
          WHERE p."requesterDucklingId" = ${requesterDucklingId} AND p."targetDucklingId" = ${targetDucklingId} AND p."status" = 'rejected'
            AND p."decidedAt" > ${secondsAfter(now, -countedSeconds)}::timestamptz AND p."pauseLiftedAt" IS NULL
          ORDER BY p."decidedAt" DESC LIMIT ${rejectionsMax}) p) AS "rejections",
      budget."tokens", budget."refilledAt",
      pending."count" AS "pendingCount", pending."until" AS "pendingUntil",
      t."emailVerifiedAt" IS NOT NULL AS "targetVerified", ${settingsColumns},
      ${knowsAsker} AS "knowsAsker",
      CASE WHEN ${knowsAsker} THEN '{}' ELSE (SELECT coalesce(array_agg(known."name"), '{}') FROM (${knownNames(request)}) known) END AS "knownNames",
      h."approved", h."approvedParams", a."createdAt" AS "agentCreatedAt", k."createdAt" AS "keyCreatedAt"
    FROM "Duckling" t
    LEFT JOIN "NotificationSettings" s ON s."ducklingId" = t."id"
    LEFT JOIN "AskerHistory" h ON h."targetDucklingId" = t."id" AND h."askerId" = ${askerId} AND h."action" = ${action}
    LEFT JOIN "Budget" budget ON budget."name" = 'ask' AND budget."key" = ${askBudgetKey(request)}
    LEFT JOIN "Agent" a ON a."id" = ${requesterAgentId}
    LEFT JOIN "BeakKey" k ON k."activeFor" = ${requesterAgentId},
    "Duckling" r, (
      SELECT count(*)::int AS "count", min(p."expiresAt") AS "until" FROM "Peck" p
      WHERE p."requesterDucklingId" = ${requesterDucklingId} AND p."targetDucklingId" = ${targetDucklingId} AND p."status" = 'pending'
        AND p."expiresAt" > ${now}::timestamptz
    ) pending
    WHERE t."id" = ${targetDucklingId} AND t."deletedAt" IS NULL AND r."id" = ${requesterDucklingId} AND r."deletedAt" IS NULL
    FOR SHARE OF t, r`
  return rows[0] ?? null
}
