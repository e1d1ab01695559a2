import type { Tx } from '@/lib/db/client'
import { hour, minute, secondsAfter } from '@/lib/kernel/clock'
import type { Tier } from '@/lib/kernel/context'
import type { Ask } from './ask'

/** What stands between an asker and a new peck. */
export interface Situation {
  targetTier: Tier
  minPeckTier: Tier
  /** The target has blocked the asker's duckling. */
  isBlocked: boolean
  /** The pending peck that asks for the very same. */
  identicalId: string | null
  /** When the target last rejected this action of the operator or any of its agents, within the last hour. */
  rejectedAt: Date | null
  /** Requests of the operator and all its agents that wait for the target. */
  pendingCount: number
  /** When the first of the pending ones runs out. */
  pendingUntil: Date | null
  /** No mail of a waiting peck went to the target in the last ten minutes. */
  mayMail: boolean
}

/** Spec silent: a target is mailed of waiting pecks at most once in ten minutes. */
export const mailPauseSeconds = 10 * minute

/** Seconds after a rejection in which the same action may not be asked again (contract B). */
export const rejectionPauseSeconds = hour

/**
 * Reads it in one statement, and keeps both accounts from being closed until the transaction ends. Null when there is no
 * such target. The caller holds the lock of operator and target, so nothing here changes meanwhile.
 */
export async function readSituation(tx: Tx, ask: Ask, now: Date): Promise<Situation | null> {
  const { requesterDucklingId, targetDucklingId, action, pendingKey } = ask
  const rows = await tx.$queryRaw<Situation[]>`
    SELECT t."trustTier"::text AS "targetTier", t."minPeckTier"::text AS "minPeckTier",
      EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = ${targetDucklingId} AND b."blockedDucklingId" = ${requesterDucklingId}) AS "isBlocked",
      (SELECT p."id" FROM "Peck" p WHERE p."pendingKey" = ${pendingKey}) AS "identicalId",
      (SELECT max(p."decidedAt") FROM "Peck" p
        WHERE p."requesterDucklingId" = ${requesterDucklingId} AND p."targetDucklingId" = ${targetDucklingId} AND p."status" = 'rejected'
          AND p."decidedAt" > ${secondsAfter(now, -rejectionPauseSeconds)}::timestamptz AND p."action" = ${action}) AS "rejectedAt",
      pending."count" AS "pendingCount", pending."until" AS "pendingUntil",
      NOT EXISTS (SELECT 1 FROM "PeckNotice" n WHERE n."ducklingId" = ${targetDucklingId}
        AND n."mailedAt" > ${secondsAfter(now, -mailPauseSeconds)}::timestamptz) AS "mayMail"
    FROM "Duckling" t, "Duckling" r, (
      SELECT count(*)::int AS "count", min(p."expiresAt") AS "until" FROM "Peck" p
      WHERE p."requesterDucklingId" = ${requesterDucklingId} AND p."targetDucklingId" = ${targetDucklingId} AND p."status" = 'pending'
        AND p."expiresAt" > ${now}::timestamptz
    ) pending
    WHERE t."id" = ${targetDucklingId} AND t."deletedAt" IS NULL AND r."id" = ${requesterDucklingId} AND r."deletedAt" IS NULL
    FOR SHARE OF t, r`
  return rows[0] ?? null
}
