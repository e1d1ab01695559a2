import { db } from '@/lib/db/client'
import type { FailureName } from '@/lib/kernel/failures'

/**
 * Returns why an agent can no longer use a key, or null when it still can. For streams and long polls, which continue after
 * authentication. The end of a key or a suspension signals the id of the agent. `sessionExpiry` does the same for sessions.
 */
export async function agentEnded(
  keyId: string,
  now: Date,
): Promise<Extract<FailureName, 'beak_key_invalid' | 'agent_not_bonded'> | null> {
  const key = await db().beakKey.findFirst({
    where: { id: keyId, retiredAt: null, expiresAt: { gt: now }, agent: { duckling: { deletedAt: null } } },
    select: { agent: { select: { status: true } } },
  })
  if (key === null) return 'beak_key_invalid'
  return key.agent.status === 'bonded' ? null : 'agent_not_bonded'
}
