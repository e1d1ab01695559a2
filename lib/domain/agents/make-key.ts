import type { Tx } from '@/lib/db/client'
import { enqueueEnded } from '@/lib/domain/tlog/enqueue'
import { signal } from '@/lib/infrastructure/events/signals'
import { day, secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { mintBeakKey } from './beak-key'

/** Spec section 4: "expires after 90 days by default". */
export const keyLifetimeDays = 90

export interface MadeKey {
  keyId: string
  /** The key itself. Shown once, never stored. */
  beakKey: string
  expiresAt: Date
}

/**
 * Creates the live key of an agent that has none. Its tier scope is the operator's current tier (contract A).
 */
export async function makeKey(
  tx: Tx,
  context: DucklingContext,
  agentId: string,
  lifetimeDays: number,
): Promise<MadeKey> {
  const { caller, now } = context
  const { keyId, beakKey, secretHash } = mintBeakKey(now)
  const expiresAt = secondsAfter(now, lifetimeDays * day)
  await tx.beakKey.create({
    data: {
      id: keyId,
      agentId,
      activeFor: agentId,
      secretHash,
      tierScope: caller.tier,
      createdAt: now,
      expiresAt,
      sessionId: caller.sessionId,
    },
  })
  return { keyId, beakKey, expiresAt }
}

/** Retires an agent's live key, ends its long polls and returns its id, or null when the agent has none. */
export async function retireKey(tx: Tx, agentId: string, now: Date): Promise<string | null> {
  const [retired] = await tx.beakKey.updateManyAndReturn({
    where: { activeFor: agentId },
    data: { activeFor: null, retiredAt: now },
    select: { id: true },
  })
  if (retired !== undefined) {
    enqueueEnded(tx, { key_id: retired.id })
    signal(tx, agentId)
  }
  return retired?.id ?? null
}
