/**
 * The first proof of an address (contract F). Anybody can sign up with another person's address. Until somebody proves that they
 * read its mail, it is unknown who set up the account. The proof keeps what the proving session made and removes everything else
 * in the same transaction.
 */
import type { Tx } from '@/lib/db/client'
import { inFlightSeconds } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockAccount } from './lock-account'
import { reclaimAccount } from './reclaim-account'

interface ProofState {
  isProven: boolean
  /** Whether another session than the caller's has made anything in the account. */
  hasOthersData: boolean
}

/**
 * Marks the caller's address as proven by the caller's session. The first time, everything that another session made is removed.
 * Later calls do nothing.
 */
export async function proveAddress(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<void> {
  await lockForProof(tx, context)
  await markProven(tx, context)
}

/** Takes the locks that the removal needs, in the same order as other commands. The first half of `proveAddress`. */
export async function lockForProof(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<void> {
  const { isProven, hasOthersData } = await readProofState(tx, context)
  if (!isProven && hasOthersData) await lockAccount(tx, context)
}

/**
 * Marks the address as proven and removes what other sessions made. The second half of `proveAddress`. The caller's session must
 * exist: a sign-in that proves the address starts its session between the two halves.
 */
export async function markProven(tx: Tx, context: DucklingContext): Promise<void> {
  const { caller, now } = context
  const { count } = await tx.duckling.updateMany({
    where: { id: caller.id, emailVerifiedAt: null, deletedAt: null },
    data: { emailVerifiedAt: now },
  })
  if (count !== 1) return
  // Read again: by now, a simultaneous sign-in with the password has committed, or it waits for this account's row.
  const { hasOthersData } = await readProofState(tx, context)
  if (hasOthersData) await reclaimAccount(tx, context)
}

async function readProofState(tx: Tx, { caller, now }: DucklingContext): Promise<ProofState> {
  const { id, sessionId } = caller
  const [state] = await tx.rows<ProofState>`
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
    ) AS "hasOthersData"
    FROM "Duckling" d WHERE d."id" = ${id}`
  return state ?? { isProven: true, hasOthersData: false }
}
