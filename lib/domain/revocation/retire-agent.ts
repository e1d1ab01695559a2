import { Prisma, type Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import { retireKey } from '@/lib/domain/agents/make-key'
import { lockAgent, wrongState } from '@/lib/domain/agents/read'
import { agentFacts, liveStatuses } from '@/lib/domain/agents/schema'
import { recordPeck } from '@/lib/domain/pecks/record'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { record } from '@/lib/infrastructure/events/record'
import type { Context } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'

/** Everything that went down with an agent, by id. */
export interface RetiredAgent {
  agentId: string
  keyIds: string[]
  cancelledPecks: string[]
  revokedGrants: string[]
  ssoTokens: string[]
}

/**
 * Deregisters an agent and takes down what rests on it (contract D3): its key and handshake die, its pending pecks are
 * cancelled, its unspent grants and SSO tokens revoked, and the other side of each peck is told. Part of the command that
 * deregisters one agent, and of the one that closes an account. Throws `agent_missing` or `agent_wrong_state`.
 */
export async function retireAgent(
  tx: Tx,
  context: Context,
  { id, ducklingId }: Pick<AgentRow, 'id' | 'ducklingId'>,
): Promise<RetiredAgent> {
  const { now } = context
  const agent = await lockAgent(tx, { fail, caller: { id: ducklingId } }, id)
  const { count } = await tx.agent.updateMany({
    where: { id, status: { in: liveStatuses } },
    data: { status: 'deregistered', deregisteredAt: now },
  })
  if (count !== 1) throw wrongState({ fail }, agent)
  const keyId = await retireKey(tx, id, now)
  await tx.handshake.deleteMany({ where: { agentId: id } })
  const cancelled = await cancelPecks(tx, id, now)
  const revoked = await revokeGrants(tx, id, now)
  const retired: RetiredAgent = {
    agentId: id,
    keyIds: keyId === null ? [] : [keyId],
    cancelledPecks: cancelled.map((peck) => peck.id),
    revokedGrants: revoked.map((peck) => peck.id),
    ssoTokens: await revokeSsoTokens(tx, agent, now),
  }
  await record(tx, context, 'agent.deregistered', {
    concerning: [ducklingId],
    targets: [{ type: 'agent', id }, ...retired.keyIds.map((key) => ({ type: 'key' as const, id: key }))],
    metadata: { cancelled_pecks: retired.cancelledPecks, revoked_grants: retired.revokedGrants },
    counts: { bonded_agents: agent.status === 'bonded' ? -1 : 0 },
    data: {
      ...agentFacts({ ...agent, status: 'deregistered' }),
      cancelled_pecks: retired.cancelledPecks,
      revoked_grants: retired.revokedGrants,
    },
  })
  const metadata = { cause: 'agent_deregistered' }
  for (const peck of cancelled) await recordPeck(tx, context, 'peck.cancelled', peck, { metadata })
  for (const peck of revoked) await recordPeck(tx, context, 'peck.revoked', peck, { metadata })
  return retired
}

/** Cancels what is pending; what nobody answered in time is left to become `expired`. */
function cancelPecks(tx: Tx, agentId: string, now: Date): Promise<PeckRow[]> {
  return readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "status" = 'cancelled', "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz
      WHERE "askerId" = ${agentId} AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz RETURNING *`,
  )
}

function revokeGrants(tx: Tx, agentId: string, now: Date): Promise<PeckRow[]> {
  return readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
      WHERE "askerId" = ${agentId} AND "status" = 'approved' AND "grantRevokedAt" IS NULL
        AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)
        AND ("maxUses" IS NULL OR "uses" < "maxUses") RETURNING *`,
  )
}

async function revokeSsoTokens(tx: Tx, agent: AgentRow, now: Date): Promise<string[]> {
  const revoked = await tx.ssoToken.updateManyAndReturn({
    where: {
      ducklingId: agent.ducklingId,
      agentId: agent.id,
      spentAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    data: { revokedAt: now },
    select: { id: true },
  })
  return revoked.map(({ id }) => id)
}
