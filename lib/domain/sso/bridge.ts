import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { minute } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { hostName } from '@/lib/kernel/host-name'
import { randomSecret } from '@/lib/kernel/secrets'
import { findValidToken } from './find-valid-token'
import type { ValidToken } from './schema'

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
