/**
 * The first proof of an address. Anybody can sign up with another person's address. Until somebody proves that they
 * read its mail, it is unknown who set up the account. The proof keeps what the proving session made and removes everything else
 * in the same transaction.
 */

import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { recordRecovery } from '@/lib/domain/passkeys/recovery'
import { lockDuckling } from '@/lib/domain/sessions/proof'
import { inFlightSeconds } from '@/lib/infrastructure/events/chain'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { removedKinds } from '@/lib/kernel/text/removed-words'
import { lockAccount, takeAway } from './kinds'
import { pick } from './taking'

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
  if (isMarked && hasOthersData) await reclaim(tx, current)
  return true
}

/** What the event of the first proof lists. */
const reclaimedNames = [
  ...removedKinds.filter((kind) => kind !== 'blocks'),
  'device_tokens',
  'pecks_shown',
] as const

/** Takes away what other sessions than the caller's have made. Records `account.reclaimed` and mails the owner when there was anything. */
async function reclaim(tx: Tx, context: DucklingContext): Promise<void> {
  const { caller, now } = context
  const ended = await takeAway(tx, {
    occasion: 'first_proof',
    context,
    ducklingId: caller.id,
    sessionId: caller.sessionId,
    // Rows without a known session count as made by another one.
    isMade: (session) => sql`${session} IS DISTINCT FROM ${caller.sessionId}`,
  })
  const removed = pick(ended, reclaimedNames)
  const resets = { password: ended.password.length > 0, settings: ended.settings.length > 0 }
  if (!resets.password && !resets.settings && Object.values(removed).every((ids) => ids.length === 0)) return
  record(tx, context, 'account.reclaimed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { ...removed, ...resets },
  })
  enqueueNotice(tx, now, caller.id, 'account_reclaimed', { at: now.toISOString() })
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

/** When the next recovery is due. */
export const nextRecovery = sql`SELECT "dueAt" FROM "PasskeyRecovery" ORDER BY "dueAt" LIMIT 1`

const batch = 100

/** Removes the passkeys of every account whose recovery is due, in one transaction per account. Called by the worker. */
export async function finishRecoveries(now: Date): Promise<void> {
  for (;;) {
    const due = await db().passkeyRecovery.findMany({
      where: { dueAt: { lte: now } },
      orderBy: { dueAt: 'asc' },
      take: batch,
      select: { id: true, ducklingId: true },
    })
    for (const { id, ducklingId } of due) await transaction((tx) => finishRecovery(tx, id, ducklingId, now))
    if (due.length < batch) return
  }
}

/**
 * Finishes one recovery that is due, and lets the sign-in link of the host work that waited for it. Does nothing when its row is gone, because
 * it was cancelled or finished meanwhile.
 */
export async function finishRecovery(tx: Tx, id: string, ducklingId: string, now: Date): Promise<void> {
  await lockDuckling(tx, ducklingId)
  const where = { id, dueAt: { lte: now } }
  const recovery = await tx.passkeyRecovery.findFirst({ where })
  const { count } = await tx.passkeyRecovery.deleteMany({ where })
  if (recovery === null || count !== 1) return
  const links = await tx.signInLink.updateMany({ where: { recoveryId: id }, data: { recoveryId: null } })
  const context = systemContext(now)
  const { passkeys } = await takeAway(tx, { occasion: 'recovery', context, ducklingId })
  // The host can start one for an account without passkeys.
  if (links.count > 0 && passkeys.length === 0) return
  recordRecovery(tx, context, 'passkey.recovered', recovery, systemActor)
  enqueueNotice(tx, now, ducklingId, 'passkeys_removed', { at: now.toISOString() })
}
