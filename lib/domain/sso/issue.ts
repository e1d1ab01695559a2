import { transaction } from '@/lib/db/transaction'
import { lockBondedAgent } from '@/lib/domain/agents/read'
import { record } from '@/lib/infrastructure/events/record'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import type { OperatorContext } from '@/lib/kernel/context'
import { mintToken } from '@/lib/kernel/secret-token'

const lifetimeSeconds = 5 * minute

export interface IssuedToken {
  sso_token: string
  target_domain: string
  scope: string
  expires_at: Date
}

/**
 * Issues an SSO token for one domain, valid for five minutes. The token cannot be read again later, and it becomes invalid when the
 * session or agent that issued it ends. Throws `agent_not_bonded` when the agent has just been suspended or deregistered.
 */
export function issueToken(
  context: OperatorContext<'agent_not_bonded'>,
  targetDomain: string,
  scope: string,
): Promise<IssuedToken> {
  const { caller, now } = context
  return transaction(async (tx) => {
    if (caller.type === 'agent') await lockBondedAgent(tx, context, caller.agentId)
    const { id, token, secretHash } = mintToken('sso', now)
    const expiresAt = secondsAfter(now, lifetimeSeconds)
    await tx.ssoToken.create({
      data: {
        id,
        secretHash,
        ducklingId: caller.id,
        ...(caller.type === 'agent' ? { agentId: caller.agentId } : { sessionId: caller.sessionId }),
        targetDomain,
        scope,
        createdAt: now,
        expiresAt,
      },
    })
    const firstOfDomain = await tx.run`
      INSERT INTO "SsoDomain" ("domain", "createdAt") VALUES (${targetDomain}, ${now}::timestamptz) ON CONFLICT DO NOTHING`
    record(tx, context, 'sso.issued', {
      targets: [{ type: 'sso_token', id }],
      metadata: { target_domain: targetDomain, scope },
      counts: { domains: firstOfDomain },
    })
    return { sso_token: token, target_domain: targetDomain, scope, expires_at: expiresAt }
  })
}
