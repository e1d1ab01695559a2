import type { Tx } from '@/lib/db/client'
import { lowerTier, type Tier } from '@/lib/kernel/context'
import { readToken } from '@/lib/kernel/secret-token'
import { equalDigests } from '@/lib/kernel/secrets'
import type { ValidToken } from './schema'

interface TokenRow extends Omit<ValidToken, 'tier'> {
  secretHash: Uint8Array
  trustTier: Tier
  tierScope: Tier | null
}

/**
 * Returns the SSO token of a text, or null when it is unknown, wrong, expired, spent or revoked. Also returns null when the account
 * is closed, or when the issuer is not active any more: the session has ended, or the agent is not bonded or has no active key.
 */
export async function findValidToken(tx: Tx, text: string, now: Date): Promise<ValidToken | null> {
  const parts = readToken(text)
  if (parts === null) return null
  const rows = await tx.rows<TokenRow>`
    SELECT t."id", t."secretHash", t."ducklingId", t."agentId", t."targetDomain", t."scope", t."createdAt", t."expiresAt",
      d."displayName", d."trustTier"::text AS "trustTier", k."tierScope"::text AS "tierScope"
    FROM "SsoToken" t
    JOIN "Duckling" d ON d."id" = t."ducklingId" AND d."deletedAt" IS NULL
    LEFT JOIN "Session" s ON s."id" = t."sessionId" AND s."revokedAt" IS NULL AND s."expiresAt" > ${now}::timestamptz
    LEFT JOIN "Agent" a ON a."id" = t."agentId" AND a."status" = 'bonded'
    LEFT JOIN "BeakKey" k ON k."activeFor" = a."id"
    WHERE t."id" = ${parts.id} AND t."expiresAt" > ${now}::timestamptz AND t."spentAt" IS NULL AND t."revokedAt" IS NULL
      AND (s."id" IS NOT NULL OR k."id" IS NOT NULL)`
  const [row] = rows
  if (!row || !equalDigests(parts.secretHash, row.secretHash)) return null
  const { secretHash: _, trustTier, tierScope, ...token } = row
  return { ...token, tier: tierScope === null ? trustTier : lowerTier(tierScope, trustTier) }
}
