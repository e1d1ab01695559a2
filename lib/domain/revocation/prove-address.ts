/**
 * The first proof of an address (contract F). Anybody can sign up with a stranger's address, so until somebody proves that they
 * read its mail, nobody knows who set the account up. The proof keeps what the proving session made and removes the rest, in the
 * same transaction.
 */
import type { Tx } from '@/lib/db/client'
import { inFlightSeconds } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockAccount } from './lock-account'
import { reclaimAccount } from './reclaim-account'

interface Standing {
  isProven: boolean
  /** Whether a session other than the proving one has left anything. */
  hasForeign: boolean
}

/**
 * Marks the caller's address as proven by the caller's session. The first time, everything that another session made is removed.
 * Later calls do nothing.
 */
export async function proveAddress(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<void> {
  await lockForProof(tx, context)
  await markProven(tx, context)
}

/** The first half: takes the locks that removing what others made will need, in the order in which other commands take them. */
export async function lockForProof(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<void> {
  const { isProven, hasForeign } = await readStanding(tx, context)
  if (!isProven && hasForeign) await lockAccount(tx, context)
}

/** The second half. The caller's session must exist: a sign-in that proves the address starts it in between. */
export async function markProven(tx: Tx, context: DucklingContext): Promise<void> {
  const { caller, now } = context
  const { count } = await tx.duckling.updateMany({
    where: { id: caller.id, emailVerifiedAt: null, deletedAt: null },
    data: { emailVerifiedAt: now },
  })
  if (count !== 1) return
  // Read again: a sign-in with the password waits for this account's row, or has committed by now.
  const { hasForeign } = await readStanding(tx, context)
  if (hasForeign) await reclaimAccount(tx, context)
}

async function readStanding(tx: Tx, { caller, now }: DucklingContext): Promise<Standing> {
  const { id, sessionId } = caller
  const [standing] = await tx.$queryRaw<Standing[]>`
    SELECT d."emailVerifiedAt" IS NOT NULL AS "isProven", (
      (d."passwordHash" IS NOT NULL AND d."signupSessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM unnest(d."settingsSessionIds") AS s WHERE s <> ${sessionId})
      OR EXISTS (SELECT 1 FROM "Session" s WHERE s."ducklingId" = d."id" AND s."id" <> ${sessionId}
        AND s."expiresAt" > ${now}::timestamptz
        AND (s."revokedAt" IS NULL OR s."revokedAt" > ${secondsAfter(now, -inFlightSeconds)}::timestamptz))
      OR EXISTS (SELECT 1 FROM "DeviceToken" t WHERE t."ducklingId" = d."id" AND t."sessionId" <> ${sessionId})
      OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."ducklingId" = d."id" AND p."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "WebhookEndpoint" w WHERE w."ducklingId" = d."id" AND w."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "SsoToken" t WHERE t."ducklingId" = d."id" AND t."sessionId" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "Agent" a LEFT JOIN "BeakKey" k ON k."activeFor" = a."id" LEFT JOIN "Handshake" h ON h."agentId" = a."id"
        WHERE a."ducklingId" = d."id" AND a."status" <> 'deregistered' AND (a."sessionId" IS DISTINCT FROM ${sessionId}
          OR k."sessionId" <> ${sessionId} OR h."sessionId" <> ${sessionId}))
      OR EXISTS (SELECT 1 FROM "Peck" p WHERE p."requesterDucklingId" = d."id" AND p."requesterAgentId" IS NULL
        AND p."askedBySession" IS DISTINCT FROM ${sessionId})
      OR EXISTS (SELECT 1 FROM "Peck" p WHERE p."targetDucklingId" = d."id" AND p."status" = 'approved'
        AND p."decidedBySession" IS DISTINCT FROM ${sessionId})
    ) AS "hasForeign"
    FROM "Duckling" d WHERE d."id" = ${id}`
  return standing ?? { isProven: true, hasForeign: false }
}
