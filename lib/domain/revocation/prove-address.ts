/**
 * The first proof of an address (contract F). Anybody can sign up with another person's address. Until somebody proves that they
 * read its mail, it is unknown who set up the account. The proof keeps what the proving session made and removes everything else
 * in the same transaction.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { inFlightSeconds } from '@/lib/infrastructure/events/record'
import { secondsAfter, withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockAccount } from './lock-account'
import { reclaimAccount } from './reclaim-account'

/**
 * Marks the caller's address as proven by the caller's session. The first time, everything that another session made is removed.
 * Later calls do nothing. The session may be one that starts in this transaction. Returns true when it has undone the statements that were sent
 * together with it, after it: send them again.
 */
export async function proveAddress(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<boolean> {
  const [, first] = await Promise.all([tx.run`SAVEPOINT unproven`, markProven(tx, context)])
  if (!first.isMarked || !first.hasOthersData) return false
  // Releases the account: the removal takes all locks again, in the same order as other commands, so that no deadlock can occur.
  await tx.run`ROLLBACK TO SAVEPOINT unproven`
  if ((await lockAccount(tx, context.caller.id, context.now)) === null) throw context.fail('session_invalid')
  const current = withCurrentTime(context)
  const { isMarked, hasOthersData } = await markProven(tx, current)
  if (isMarked && hasOthersData) await reclaimAccount(tx, current)
  return true
}

/** Marks the address as proven, unless it is. Tells whether another session than the caller's has made anything in the account. */
async function markProven(
  tx: Tx,
  context: DucklingContext,
): Promise<{ isMarked: boolean; hasOthersData: boolean }> {
  const { caller, now } = context
  const [marked, [state]] = await Promise.all([
    tx.run`
      UPDATE "Duckling" SET "emailVerifiedAt" = ${now}::timestamptz
      WHERE "id" = ${caller.id} AND "emailVerifiedAt" IS NULL AND "deletedAt" IS NULL`,
    // Read after the update: by then, a simultaneous sign-in with the password has committed, or it waits for this account's row.
    tx.rows<{ hasOthersData: boolean }>`
      SELECT ${othersData(context)} AS "hasOthersData" FROM "Duckling" d WHERE d."id" = ${caller.id}`,
  ])
  return { isMarked: marked === 1, hasOthersData: state?.hasOthersData ?? false }
}

/** Tells in SQL whether another session than the caller's has made anything in the account "Duckling" d. */
function othersData({ caller: { sessionId }, now }: DucklingContext): Sql {
  return sql`(
      (d."passwordHash" IS NOT NULL AND d."signupSessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM unnest(d."settingsSessionIds") AS s WHERE s <> ${sessionId})
      OR EXISTS (SELECT 1 FROM "Session" s WHERE s."ducklingId" = d."id" AND s."id" <> ${sessionId}
        AND s."expiresAt" > ${now}::timestamptz
        AND (s."revokedAt" IS NULL OR s."revokedAt" > ${secondsAfter(now, -inFlightSeconds)}::timestamptz))
      OR EXISTS (SELECT 1 FROM "DeviceToken" t WHERE t."ducklingId" = d."id" AND t."sessionId" <> ${sessionId})
      OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."ducklingId" = d."id" AND p."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "WebhookEndpoint" w WHERE w."ducklingId" = d."id" AND w."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "Channel" c WHERE c."ducklingId" = d."id" AND c."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "SsoToken" t WHERE t."ducklingId" = d."id" AND t."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "Agent" a LEFT JOIN "BeakKey" k ON k."activeFor" = a."id" LEFT JOIN "Handshake" h ON h."agentId" = a."id"
        WHERE a."ducklingId" = d."id" AND a."status" <> 'deregistered' AND (a."sessionId" IS DISTINCT FROM ${sessionId}
          OR k."sessionId" <> ${sessionId} OR h."sessionId" <> ${sessionId}))
      OR EXISTS (SELECT 1 FROM "Peck" p WHERE p."requesterDucklingId" = d."id" AND p."requesterAgentId" IS NULL
        AND p."askedBySession" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "Peck" p WHERE p."targetDucklingId" = d."id" AND p."status" = 'approved'
        AND p."decidedBySession" IS DISTINCT FROM ${sessionId})
    )`
}
