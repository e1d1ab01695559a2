import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import type { AgentStatus } from '@/lib/db/generated/client'
import { joinRow } from '@/lib/db/sql'
import type { FailureName } from '@/lib/kernel/failures'

/** Finds a key that is not retired, of an account that is open. */
const findKey = batched<{ id: string; expiresAt: Date; status: AgentStatus; isSuspended: boolean }>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT k."id", k."expiresAt", a."status", d."suspendedAt" IS NOT NULL AS "isSuspended"
    FROM "BeakKey" k ${joinRow('Agent', 'a', 'k."agentId"')} ${joinRow('Duckling', 'd', 'a."ducklingId"')}
    WHERE k."id" = ANY(${ids}::text[]) AND k."retiredAt" IS NULL AND d."deletedAt" IS NULL`,
)

/**
 * Returns why an agent can no longer use a key, or null when it still can. For streams and long polls, which continue after
 * authentication. The end of a key or a suspension signals the id of the agent. `sessionExpiry` does the same for sessions.
 */
export async function agentEnded(
  keyId: string,
  now: Date,
): Promise<Extract<FailureName, 'beak_key_invalid' | 'account_suspended' | 'agent_not_bonded'> | null> {
  const key = await findKey(keyId)
  if (key === null || key.expiresAt <= now) return 'beak_key_invalid'
  if (key.isSuspended) return 'account_suspended'
  return key.status === 'bonded' ? null : 'agent_not_bonded'
}
