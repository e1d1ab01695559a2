import { sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
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
    const [, firstOfDomain] = await Promise.all([
      caller.type === 'agent' ? lockBondedAgent(tx, context, caller.agentId) : null,
      tx.run`INSERT INTO "SsoDomain" ("domain", "createdAt") VALUES (${targetDomain}, ${now}) ON CONFLICT DO NOTHING`,
    ])
    const { id, token, secretHash } = mintToken('sso', now)
    const expiresAt = secondsAfter(now, lifetimeSeconds)
    const [agentId, sessionId] = caller.type === 'agent' ? [caller.agentId, null] : [null, caller.sessionId]
    const insert = sql`
      INSERT INTO "SsoToken" ("id", "secretHash", "ducklingId", "agentId", "sessionId", "targetDomain", "scope", "createdAt", "expiresAt")
      VALUES (${id}, ${secretHash}, ${caller.id}, ${agentId}, ${sessionId}, ${targetDomain}, ${scope}, ${now}, ${expiresAt})`
    beforeCommit(tx, insert)
    record(tx, context, 'sso.issued', {
      targets: [{ type: 'sso_token', id }],
      metadata: { target_domain: targetDomain, scope },
      counts: { domains: firstOfDomain },
    })
    return { sso_token: token, target_domain: targetDomain, scope, expires_at: expiresAt }
  })
}
