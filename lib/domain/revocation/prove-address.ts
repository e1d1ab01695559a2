/**
 * The first proof of an address (contract F). Anybody can sign up with another person's address. Until somebody proves that they
 * read its mail, it is unknown who set up the account. The proof keeps what the proving session made and removes everything else
 * in the same transaction.
 */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { inFlightSeconds } from '@/lib/infrastructure/events/record'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockAccount } from './lock-account'
import { reclaimAccount } from './reclaim-account'

interface ProofState {
  isProven: boolean
  /** Whether another session than the caller's has made anything in the account. */
  othersData: boolean
}

/**
 * Marks the caller's address as proven by the caller's session. The first time, everything that another session made is removed.
 * Later calls do nothing. The session may be one that starts in this transaction.
 */
export async function proveAddress(tx: Tx, context: DucklingContext<'session_invalid'>): Promise<void> {
  if (await markProven(tx, context, sql`AND NOT ${hasOthersData(context)}`)) return
  const { isProven, othersData } = await readProofState(tx, context)
  if (isProven) return
  // Before the account is changed: the removal takes its locks in the same order as other commands.
  if (othersData) await lockAccount(tx, context)
  await markProven(tx, context, sql``)
}

/**
 * Marks the address as proven when that and `condition` hold, and removes what other sessions made. Returns whether it was marked.
 */
async function markProven(tx: Tx, context: DucklingContext, condition: Sql): Promise<boolean> {
  const { caller, now } = context
  const [marked, { othersData }] = await Promise.all([
    tx.run`
      UPDATE "Duckling" d SET "emailVerifiedAt" = ${now}::timestamptz
      WHERE d."id" = ${caller.id} AND d."emailVerifiedAt" IS NULL AND d."deletedAt" IS NULL ${condition}`,
    // Read after the update: by then, a simultaneous sign-in with the password has committed, or it waits for this account's row.
    readProofState(tx, context),
  ])
  if (marked === 1 && othersData) await reclaimAccount(tx, context)
  return marked === 1
}

async function readProofState(tx: Tx, context: DucklingContext): Promise<ProofState> {
  const [state] = await tx.rows<ProofState>`
    SELECT d."emailVerifiedAt" IS NOT NULL AS "isProven", ${hasOthersData(context)} AS "othersData"
    FROM "Duckling" d WHERE d."id" = ${context.caller.id}`
  return state ?? { isProven: true, othersData: false }
}

/** Tells in SQL whether another session than the caller's has made anything in the account "Duckling" d. */
function hasOthersData({ caller: { sessionId }, now }: DucklingContext): Sql {
  return sql`(
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
    )`
}
