/**
 * Handshake tokens: the second secret of the bonding ceremony. One lives an agent, for an hour; it is spent by deleting its
 * row, so of any number of simultaneous tries one succeeds.
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

/** Makes a handshake for an agent that is new or held (`lockAgent`); an earlier one dies. */
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

/** Spends the agent's handshake. False when the token is not it, not any more, or has the wrong form. */
export async function spendHandshake(tx: Tx, agentId: string, token: string, now: Date): Promise<boolean> {
  const parts = readToken(token)
  if (parts === null) return false
  const { count } = await tx.handshake.deleteMany({ where: { ...parts, agentId, expiresAt: { gt: now } } })
  return count === 1
}
