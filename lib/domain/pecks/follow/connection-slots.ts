/**
 * Limits open long polls and event streams. Each one uses one of the 20 connection slots of its account, which a person shares
 * with all their agents (contract F, Long polls and streams). Every instance counts its own connections.
 */
import { agentEnded } from '@/lib/domain/agents/read'
import { sessionExpiry } from '@/lib/domain/sessions/authenticate'
import type { OperatorContext } from '@/lib/kernel/request/context'
import { singleton } from '@/lib/kernel/runtime/singleton'

const slotsMax = 20
/** When to try again. A long poll ends within 30 seconds, a stream when its client disconnects. */
const retryAfterSeconds = 5

const slots = () => singleton('pecks.waiting', () => new Map<string, number>())

/**
 * Acquires a slot of the caller's account. Returns a function that releases it and that may be called more than once. Throws
 * `too_many_open_connections`.
 */
export function acquireSlot(context: OperatorContext<'too_many_open_connections'>): () => void {
  const ducklingId = context.caller.id
  const inUse = slotsInUse(ducklingId)
  if (inUse >= slotsMax) throw context.fail('too_many_open_connections', { retry_after: retryAfterSeconds })
  slots().set(ducklingId, inUse + 1)
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    const left = slotsInUse(ducklingId) - 1
    if (left > 0) slots().set(ducklingId, left)
    else slots().delete(ducklingId)
  }
}

/** Returns how many slots of that account are in use on this instance. */
export function slotsInUse(ducklingId: string): number {
  return slots().get(ducklingId) ?? 0
}

/** Returns how many streams and long polls are open on this instance. */
export function connectionsOpen(): number {
  let sum = 0
  for (const inUse of slots().values()) sum += inUse
  return sum
}

/** Returns the topic that is signalled when the caller's credential ends. */
export function credentialTopic({ caller }: OperatorContext): string {
  return caller.type === 'agent' ? caller.agentId : caller.sessionId
}

/**
 * Checks the caller's credential again after a wait. Throws `session_invalid`, `beak_key_invalid`, `account_suspended` or `agent_not_bonded` when
 * it has ended meanwhile.
 */
export async function checkCredential(
  context: OperatorContext<'session_invalid' | 'beak_key_invalid' | 'account_suspended' | 'agent_not_bonded'>,
  now: Date,
): Promise<void> {
  const { caller } = context
  if (caller.type === 'agent') {
    const ended = await agentEnded(caller.keyId, now)
    if (ended !== null) throw context.fail(ended)
  } else if ((await sessionExpiry(caller.sessionId, now)) === null) throw context.fail('session_invalid')
}
