/**
 * Bonds an agent at the first request of its client. So the block that an owner copies into a client holds all that the agent needs: its
 * key, and the handshake in a header of its own. The header may stay in the client: a handshake works once.
 */
import type { KeyCaller } from '@/lib/kernel/context'
import { log } from '@/lib/kernel/log'
import type { AgentApi } from './tool'

/** As Node spells it. */
export const handshakeHeader = 'x-beak-handshake'

/**
 * Bonds the caller when it has not bonded and its request carries a handshake. A refusal changes nothing: the tools then say how to bond. The
 * call is that of the API, so its rules, limits and audit events apply.
 */
export async function bondByHeader(
  { agentId, isBonded }: KeyCaller,
  api: AgentApi,
  handshake: string | undefined,
): Promise<void> {
  if (isBonded || handshake === undefined || handshake === '') return
  const bonded = await api('POST /beak/agent/bond', {
    body: { agent_id: agentId, handshake_token: handshake },
  })
  if (!bonded.ok) log().info({ agent: agentId, reason: bonded.problem.reason }, 'handshake refused at /mcp')
}
