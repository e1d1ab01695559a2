import type { Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import { passkeyOfOwner } from '@/lib/domain/sessions/proof'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { newId } from '@/lib/kernel/secrets/ids'
import { liveStatuses } from './schema'

export const liveAgentsMax = 25

export interface Registration {
  name: string
  type: string
  capabilities: string[]
  /** Whether the agent's key is accepted in the query string. */
  allowQueryKey: boolean
  /** Whether the agent may ask people other than its owner. */
  asksOthers: boolean
}

/** Whether an account may have another agent. */
export async function hasRoomForAgent(tx: Tx, ducklingId: string): Promise<boolean> {
  const last = await tx.agent.findFirst({
    where: { ducklingId, status: { in: liveStatuses } },
    skip: liveAgentsMax - 1,
    select: { id: true },
  })
  return last === null
}

/** Creates an agent of the caller without a key. The agents of the caller must be locked. Throws `too_many_agents`. */
export async function makeAgent(
  tx: Tx,
  context: DucklingContext<'too_many_agents'>,
  { status, ...input }: Registration & { status: 'registered' | 'suspended' },
): Promise<AgentRow> {
  const { caller, now } = context
  if (!(await hasRoomForAgent(tx, caller.id))) throw context.fail('too_many_agents')
  const passkeyId = await passkeyOfOwner(tx, context)
  return tx.agent.create({
    data: {
      id: newId('agent', now),
      ducklingId: caller.id,
      status,
      suspendedAt: status === 'suspended' ? now : null,
      createdAt: now,
      sessionId: caller.sessionId,
      madeByPasskey: passkeyId !== null,
      passkeyIds: passkeyId === null ? [] : [passkeyId],
      ...input,
    },
  })
}

/** Notes with which passkey the new key of an agent was made. Null: with none, so no passkey made the agent any more. */
export async function notePasskey(tx: Tx, agentId: string, passkeyId: string | null): Promise<void> {
  if (passkeyId === null) await tx.agent.update({ where: { id: agentId }, data: { madeByPasskey: false } })
  // An agent whose first passkey is not known stays one that the removal of any passkey concerns.
  else
    await tx.run`
      UPDATE "Agent" SET "passkeyIds" = array_append("passkeyIds", ${passkeyId})
      WHERE "id" = ${agentId} AND "passkeyIds" <> '{}' AND NOT "passkeyIds" @> ARRAY[${passkeyId}]::text[]`
}

/**
 * Ends what these passkeys of an account vouched for, because they are removed: an agent that one of them made, or made a key of, is as new as one
 * that no passkey made. Its owner may not have been the one who used the passkey.
 */
export async function endMadeByPasskeys(tx: Tx, ducklingId: string, passkeyIds: string[]): Promise<void> {
  await tx.run`
    UPDATE "Agent" SET "madeByPasskey" = false WHERE "id" IN (
      SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId} AND "madeByPasskey"
        AND ("passkeyIds" = '{}' OR "passkeyIds" && ${passkeyIds}::text[]) ORDER BY "id" FOR NO KEY UPDATE)`
}
