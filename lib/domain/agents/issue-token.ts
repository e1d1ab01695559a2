import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { minute } from '@/lib/kernel/clock'
import type { AgentCaller, Context } from '@/lib/kernel/context'
import { randomSecret } from '@/lib/kernel/secrets'
import { lockBondedAgent } from './read'

const lifetimeSeconds = 5 * minute

export interface AgentToken {
  token: string
  token_type: 'Bearer'
  expires_at: Date
  audience: string
}

/**
 * Issues a JWT of type `agent+jwt`, with which an agent proves its identity to a third party without showing its key. The token names
 * one audience, and this API does not accept it. Throws `agent_not_bonded`.
 */
export function issueAgentToken(
  context: Context<AgentCaller, 'agent_not_bonded'>,
  audience: string,
): Promise<AgentToken> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await lockBondedAgent(tx, context, caller.agentId)
    const iat = numericDate(now)
    const exp = iat + lifetimeSeconds
    const jti = randomSecret(10)
    record(tx, context, 'agent.token_issued', {
      targets: [{ type: 'agent', id: caller.agentId }],
      metadata: { audience, jti },
    })
    const token = signToken('agent', {
      aud: audience,
      sub: caller.agentId,
      operator: caller.id,
      tier: caller.tier,
      capabilities: caller.capabilities,
      iat,
      exp,
      jti,
    })
    return { token, token_type: 'Bearer', expires_at: new Date(exp * 1000), audience }
  })
}
