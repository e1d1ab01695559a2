import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import { joinRow, leftJoinRow } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { requireUnpaused } from '@/lib/domain/agents/pause'
import { record } from '@/lib/infrastructure/events/record'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import type { AnonymousContext, DucklingContext } from '@/lib/kernel/request/context'
import { hostName } from '@/lib/kernel/request/host-name'
import { lowerTier, type Tier } from '@/lib/kernel/request/tier'
import { minute } from '@/lib/kernel/runtime/clock'
import { readToken } from '@/lib/kernel/secrets/secret-token'
import { equalDigests, randomSecret } from '@/lib/kernel/secrets/secrets'
import { presentToken, proofOfSession, type SsoVerdictInput, type ValidToken } from './schema'

interface TokenRow extends Omit<ValidToken, 'tier' | 'proof'> {
  secretHash: Uint8Array
  trustTier: Tier
  /** Null for a token of a person. */
  tierScope: Tier | null
  /** When the session that issued it ends, or the key of the agent that did. */
  issuerExpiresAt: Date
  amr: string[] | null
  authTime: Date | null
  passkeyAt: Date | null
}

/**
 * Finds a token that is neither spent nor revoked, of an open account and an active issuer: a session that has not ended, or a bonded
 * agent whose owner has not paused everything, with the key that it had then. A thief of an earlier key may have issued a token with that key.
 */
const findToken = batched<TokenRow>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT t."id", t."secretHash", t."ducklingId", t."agentId", t."targetDomain", t."scope", t."createdAt", t."expiresAt",
      d."displayName", d."fullName", d."trustTier", k."tierScope", COALESCE(s."expiresAt", k."expiresAt") AS "issuerExpiresAt", s."amr", s."authTime", s."passkeyAt"
    FROM "SsoToken" t
    ${joinRow('Duckling', 'd', 't."ducklingId"')}
    ${leftJoinRow('Session', 's', 't."sessionId"')}
    ${leftJoinRow('Agent', 'a', 't."agentId"')}
    ${leftJoinRow('BeakKey', 'k', 'a."id"', 'activeFor')}
    WHERE t."id" = ANY(${ids}::text[]) AND t."spentAt" IS NULL AND t."revokedAt" IS NULL AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL
      AND (s."id" IS NOT NULL AND s."revokedAt" IS NULL OR k."createdAt" <= t."createdAt" AND a."status" = 'bonded' AND d."rulesPausedAt" IS NULL)`,
)

/**
 * Returns the SSO token of a text, or null when it is unknown, wrong, expired, spent or revoked. Also returns null when the account
 * is closed or suspended, or when the issuer is not active any more.
 */
async function findValidToken(text: string, now: Date): Promise<ValidToken | null> {
  const parts = readToken(text)
  if (parts === null) return null
  const row = await findToken(parts.id)
  if (row === null || !equalDigests(parts.secretHash, row.secretHash)) return null
  const { secretHash: _, trustTier, tierScope, issuerExpiresAt, amr, authTime, passkeyAt, ...token } = row
  if (token.expiresAt <= now || issuerExpiresAt <= now) return null
  const proof = proofOfSession(amr === null || authTime === null ? null : { amr, authTime, passkeyAt })
  return { ...token, proof, tier: tierScope === null ? trustTier : lowerTier(tierScope, trustTier) }
}

/**
 * Returns the owner of a valid SSO token. With `domain` the token must be for that domain. Does not spend the token. For every
 * invalid token the result is only `{ active: false }` (RFC 7662, section 2.2).
 */
export async function verifyToken(
  context: AnonymousContext,
  text: string,
  domain: string | undefined,
): Promise<SsoVerdictInput> {
  const token = await findValidToken(text, context.now)
  if (token === null) return { active: false }
  if (domain !== undefined && hostName(domain) !== token.targetDomain) return { active: false }
  return presentToken(token)
}

const lifetimeSeconds = 15 * minute

export interface BridgedToken {
  token: string
  token_type: 'Bearer'
  expires_at: Date
  target: string
  scope: string
}

/**
 * Exchanges an SSO token for an access token whose only audience is the target. Of simultaneous calls with the same token one
 * succeeds. Throws `sso_token_invalid`, or `sso_token_mismatch` when the token belongs to another account or another domain.
 */
export async function bridgeToken(
  context: DucklingContext<'sso_token_invalid' | 'sso_token_mismatch'>,
  text: string,
  target: string,
): Promise<BridgedToken> {
  const { caller, now } = context
  const token = await findValidToken(text, now)
  if (token === null) throw context.fail('sso_token_invalid')
  if (token.ducklingId !== caller.id || hostName(target) !== token.targetDomain)
    throw context.fail('sso_token_mismatch')
  return transaction(async (tx) => {
    const spent = await tx.run`
      UPDATE "SsoToken" SET "spentAt" = ${now} WHERE "id" = ${token.id} AND "spentAt" IS NULL AND "revokedAt" IS NULL`
    if (spent === 0) throw context.fail('sso_token_invalid')
    record(tx, context, 'sso.bridged', {
      targets: [{ type: 'sso_token', id: token.id }],
      metadata: { target_domain: token.targetDomain, scope: token.scope },
    })
    if (token.agentId !== null) requireUnpaused(tx, caller.id, () => context.fail('sso_token_invalid'))
    return accessToken(context, token)
  })
}

/**
 * Signs the access token. It has another audience than a session token and no session, so this API refuses it. It says how the person proved who
 * she is to the session that issued the SSO token, which may be another one than the caller's.
 */
function accessToken({ caller, now }: DucklingContext, token: ValidToken): BridgedToken {
  const iat = numericDate(now)
  const exp = iat + lifetimeSeconds
  const signed = signToken('access', {
    aud: token.targetDomain,
    sub: caller.id,
    scope: token.scope,
    iat,
    exp,
    jti: randomSecret(10),
    amr: token.proof.amr,
    ...(token.proof.authTime === null ? {} : { auth_time: numericDate(token.proof.authTime) }),
    trust_tier: token.tier,
    ...(token.agentId === null ? {} : { agent_id: token.agentId }),
  })
  return {
    token: signed,
    token_type: 'Bearer',
    expires_at: new Date(exp * 1000),
    target: token.targetDomain,
    scope: token.scope,
  }
}
