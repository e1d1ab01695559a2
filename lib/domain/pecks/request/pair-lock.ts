/** The lock under which an operator and all its agents ask a target. */
import type { Tx } from '@/lib/db/client'
import { nameLock } from '@/lib/db/transaction'
import { bondedAgent } from '@/lib/domain/agents/read'
import type { NewPeck } from '@/lib/domain/pecks/new-peck'
import type { Fails } from '@/lib/kernel/context'

/** Returns the name of the lock under which an operator and all its agents ask a target. A block of the operator takes it too. */
export function pairLock(requesterDucklingId: string, targetDucklingId: string): string {
  return `peck:${requesterDucklingId}:${targetDucklingId}`
}

/**
 * Locks the agent of a request, and then its operator and target, until the transaction ends. Returns the name of the agent, or null when a
 * person asks. Throws `agent_not_bonded`.
 */
export async function lockAsker(
  tx: Tx,
  context: Fails<'agent_not_bonded'>,
  { requesterDucklingId, requesterAgentId, targetDucklingId }: NewPeck,
): Promise<string | null> {
  const pair = nameLock(pairLock(requesterDucklingId, targetDucklingId))
  if (requesterAgentId === null) {
    await tx.run`SELECT ${pair}`
    return null
  }
  const [row] = await tx.rows<{ name: string | null }>`
    WITH agent AS MATERIALIZED (${bondedAgent(requesterAgentId)})
    SELECT (SELECT "name" FROM agent) AS "name", ${pair}`
  if (row?.name == null) throw context.fail('agent_not_bonded')
  return row.name
}
