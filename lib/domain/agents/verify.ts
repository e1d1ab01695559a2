import { db } from '@/lib/db/client'
import type { AgentStatus } from '@/lib/db/generated/client'
import type { AnonymousContext, Tier } from '@/lib/kernel/context'
import { maskId } from '@/lib/kernel/ids'

export interface AgentVerdict {
  agent_id: string
  /** Whether the agent is bonded and its operator's account is open. */
  valid: boolean
  status: AgentStatus
  agent_name: string
  agent_type: string
  capabilities: string[]
  bonded_at: Date | null
  operator: {
    /** Masked for the public. */
    duckling_id: string
    display_name: string
    trust_tier: Tier
    certified: boolean
    cert_id: string | null
  }
  checked_at: Date
}

/**
 * Tells a third party whether an agent exists and is valid, and who its operator is. Throws `agent_unknown`.
 */
export async function verifyAgent(
  context: AnonymousContext<'agent_unknown'>,
  agentId: string,
): Promise<AgentVerdict> {
  const agent = await db().agent.findUnique({
    where: { id: agentId },
    include: {
      duckling: {
        select: {
          id: true,
          displayName: true,
          trustTier: true,
          deletedAt: true,
          certificates: { where: { status: 'active' }, take: 1, select: { id: true } },
        },
      },
    },
  })
  if (!agent) throw context.fail('agent_unknown', { valid: false })
  const { duckling } = agent
  const certId = duckling.certificates[0]?.id ?? null
  return {
    agent_id: agent.id,
    valid: agent.status === 'bonded' && duckling.deletedAt === null,
    status: agent.status,
    agent_name: agent.name,
    agent_type: agent.type,
    capabilities: agent.capabilities,
    bonded_at: agent.bondedAt,
    operator: {
      duckling_id: maskId(duckling.id),
      display_name: duckling.displayName,
      trust_tier: duckling.trustTier,
      certified: certId !== null,
      cert_id: certId,
    },
    checked_at: context.now,
  }
}
