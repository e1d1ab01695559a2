import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { minute } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { hostName } from '@/lib/kernel/host-name'
import { randomSecret } from '@/lib/kernel/secrets'
import { findToken } from './find-token'
import type { LiveToken } from './schema'

const lifetimeSeconds = 15 * minute

export interface BridgedToken {
  token: string
  token_type: 'Bearer'
  expires_at: Date
  target: string
  scope: string
}

/**
 * Spends an SSO token, once even under a race, for an access token whose audience is the target alone. Throws
 * `sso_token_invalid`, or `sso_not_yours` for the token of somebody else or of another domain.
 */
export function bridgeToken(
  context: DucklingContext<'sso_token_invalid' | 'sso_not_yours'>,
  text: string,
  target: string,
): Promise<BridgedToken> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const token = await findToken(tx, text, now)
    if (token === null) throw context.fail('sso_token_invalid')
    if (token.ducklingId !== caller.id || hostName(target) !== token.targetDomain)
      throw context.fail('sso_not_yours')
    const { count } = await tx.ssoToken.updateMany({
      where: { id: token.id, spentAt: null, revokedAt: null, expiresAt: { gt: now } },
      data: { spentAt: now },
    })
    if (count !== 1) throw context.fail('sso_token_invalid')
    await record(tx, context, 'sso.bridged', {
      targets: [{ type: 'sso_token', id: token.id }],
      metadata: { target_domain: token.targetDomain, scope: token.scope },
    })
    return accessToken(context, token)
  })
}

/** Signed like a session's token but for another audience and without a session, so that this API refuses it. */
function accessToken({ caller, now }: DucklingContext, token: LiveToken): BridgedToken {
  const iat = numericDate(now)
  const exp = iat + lifetimeSeconds
  const signed = signToken('access', {
    aud: token.targetDomain,
    sub: caller.id,
    scope: token.scope,
    iat,
    exp,
    jti: randomSecret(10),
    auth_time: numericDate(caller.authTime),
    trust_tier: token.tier,
  })
  return {
    token: signed,
    token_type: 'Bearer',
    expires_at: new Date(exp * 1000),
    target: token.targetDomain,
    scope: token.scope,
  }
}
