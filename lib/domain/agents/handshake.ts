/**
 * Handshake tokens: the second secret that bonding needs. An agent has at most one, which is valid for an hour. It is spent by deleting
 * its row, so only one of several simultaneous tries succeeds.
 */
import type { Tx } from '@/lib/db/client'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { mintToken, readToken } from '@/lib/kernel/secret-token'

const lifetimeSeconds = hour

export interface MintedHandshake {
  handshake_token: string
  handshake_expires_at: Date
}

/** Creates the handshake token of an agent and deletes the earlier one. The agent must be new or locked (`lockAgent`). */
export async function makeHandshake(
  tx: Tx,
  { caller, now }: DucklingContext,
  agentId: string,
): Promise<MintedHandshake> {
  const { id, token, secretHash } = mintToken('handshake', now)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  await tx.handshake.deleteMany({ where: { agentId } })
  await tx.handshake.create({
    data: { id, agentId, secretHash, createdAt: now, expiresAt, sessionId: caller.sessionId },
  })
  return { handshake_token: token, handshake_expires_at: expiresAt }
}

/** Spends the handshake token of an agent. Returns false when the token is malformed, wrong, expired or spent. */
export async function spendHandshake(tx: Tx, agentId: string, token: string, now: Date): Promise<boolean> {
  const parts = readToken(token)
  if (parts === null) return false
  const { count } = await tx.handshake.deleteMany({ where: { ...parts, agentId, expiresAt: { gt: now } } })
  return count === 1
}
