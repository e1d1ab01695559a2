import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import { joinRow, leftJoinRow } from '@/lib/db/sql'
import { readToken } from '@/lib/kernel/secret-token'
import { equalDigests } from '@/lib/kernel/secrets'
import { lowerTier, type Tier } from '@/lib/kernel/tier'
import { proofOfSession, type ValidToken } from './schema'

interface TokenRow extends Omit<ValidToken, 'tier' | 'proof'> {
  secretHash: Uint8Array
  trustTier: Tier
  /** Null for a token of a person. */
  tierScope: Tier | null
  /** When the session that issued it ends. Null for a token of an agent. */
  sessionExpiresAt: Date | null
  amr: string[] | null
  authTime: Date | null
  passkeyAt: Date | null
}

/**
 * Finds a token that is neither spent nor revoked, of an open account and an active issuer: a session that has not ended, or a bonded
 * agent with an active key.
 */
const findToken = batched<TokenRow>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT t."id", t."secretHash", t."ducklingId", t."agentId", t."targetDomain", t."scope", t."createdAt", t."expiresAt",
      d."displayName", d."fullName", d."trustTier", k."tierScope", s."expiresAt" AS "sessionExpiresAt", s."amr", s."authTime", s."passkeyAt"
    FROM "SsoToken" t
    ${joinRow('Duckling', 'd', 't."ducklingId"')}
    ${leftJoinRow('Session', 's', 't."sessionId"')}
    ${leftJoinRow('Agent', 'a', 't."agentId"')}
    ${leftJoinRow('BeakKey', 'k', 'a."id"', 'activeFor')}
    WHERE t."id" = ANY(${ids}::text[]) AND t."spentAt" IS NULL AND t."revokedAt" IS NULL AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL
      AND (s."id" IS NOT NULL AND s."revokedAt" IS NULL OR k."id" IS NOT NULL AND a."status" = 'bonded')`,
)

/**
 * Returns the SSO token of a text, or null when it is unknown, wrong, expired, spent or revoked. Also returns null when the account
 * is closed or suspended, or when the issuer is not active any more.
 */
export async function findValidToken(text: string, now: Date): Promise<ValidToken | null> {
  const parts = readToken(text)
  if (parts === null) return null
  const row = await findToken(parts.id)
  if (row === null || !equalDigests(parts.secretHash, row.secretHash)) return null
  const { secretHash: _, trustTier, tierScope, sessionExpiresAt, amr, authTime, passkeyAt, ...token } = row
  if (token.expiresAt <= now || (sessionExpiresAt !== null && sessionExpiresAt <= now)) return null
  const proof = proofOfSession(amr === null || authTime === null ? null : { amr, authTime, passkeyAt })
  return { ...token, proof, tier: tierScope === null ? trustTier : lowerTier(tierScope, trustTier) }
}
