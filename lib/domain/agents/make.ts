import type { Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import { isConfirmedByOwner } from '@/lib/domain/sessions/proof'
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
  return tx.agent.create({
    data: {
      id: newId('agent', now),
      ducklingId: caller.id,
      status,
      suspendedAt: status === 'suspended' ? now : null,
      createdAt: now,
      sessionId: caller.sessionId,
      madeByPasskey: await isConfirmedByOwner(tx, context),
      ...input,
    },
  })
}
