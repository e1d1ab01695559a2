import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import type { AgentStatus } from '@/lib/db/generated/client'
import { joinRow, leftJoinRow } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import type { AgentCaller, AnonymousContext, Context } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import { minute } from '@/lib/kernel/runtime/clock'
import { maskId } from '@/lib/kernel/secrets/ids'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import { lockBondedAgent } from './read'

export interface AgentVerdict {
  agent_id: string
  /** Whether the agent is bonded and its operator's account is open and not suspended. */
  valid: boolean
  status: AgentStatus
  agent_name: string
  agent_type: string
  capabilities: string[]
  asks_others: boolean
  bonded_at: Date | null
  operator: {
    /** Masked for the public. */
    duckling_id: string
    display_name: string
    full_name?: string
    trust_tier: Tier
    certified: boolean
    cert_id: string | null
  }
  checked_at: Date
}

interface Row {
  id: string
  name: string
  type: string
  capabilities: string[]
  asksOthers: boolean
  status: AgentStatus
  bondedAt: Date | null
  ducklingId: string
  displayName: string
  fullName: string | null
  trustTier: Tier
  deletedAt: Date | null
  isSuspended: boolean
  /** The active certificate of the operator. */
  certId: string | null
}

const findAgent = batched<Row>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT a."id", a."name", a."type", a."capabilities", a."asksOthers", a."status", a."bondedAt",
      d."id" AS "ducklingId", d."displayName", d."fullName", d."trustTier", d."deletedAt", d."suspendedAt" IS NOT NULL AS "isSuspended", c."id" AS "certId"
    FROM "Agent" a ${joinRow('Duckling', 'd', 'a."ducklingId"')} ${leftJoinRow('Certificate', 'c', 'd."id"', 'activeFor')}
    WHERE a."id" = ANY(${ids}::text[])`,
)

/**
 * Tells a third party whether an agent exists and is valid, and who its operator is. Throws `agent_not_registered`.
 */
export async function verifyAgent(
  context: AnonymousContext<'agent_not_registered'>,
  agentId: string,
): Promise<AgentVerdict> {
  const row = await findAgent(agentId)
  if (row === null) throw context.fail('agent_not_registered', { valid: false })
  // The agents of a suspended account are suspended with it.
  const status = row.isSuspended && row.status !== 'deregistered' ? 'suspended' : row.status
  return {
    agent_id: row.id,
    valid: status === 'bonded' && row.deletedAt === null,
    status,
    agent_name: row.name,
    agent_type: row.type,
    capabilities: row.capabilities,
    asks_others: row.asksOthers,
    bonded_at: row.bondedAt,
    operator: {
      duckling_id: maskId(row.ducklingId),
      display_name: row.displayName,
      ...(row.fullName === null ? {} : { full_name: row.fullName }),
      trust_tier: row.trustTier,
      certified: row.certId !== null,
      cert_id: row.certId,
    },
    checked_at: context.now,
  }
}

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
