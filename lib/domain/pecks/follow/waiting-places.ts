/**
 * Long polls and event streams keep a connection open, so each takes one of 20 places of its account: a person and all its
 * agents together (contract F).
 */
// Spec silent: counted on each instance.
import { agentEnded } from '@/lib/domain/agents/live'
import { isSessionLive } from '@/lib/domain/sessions/live'
import type { OperatorContext } from '@/lib/kernel/context'
import { singleton } from '@/lib/kernel/singleton'

const placesMax = 20
/** Spec silent: when to try again. A long poll ends within 30 seconds, a stream when its client leaves. */
const retryAfterSeconds = 5

const taken = () => singleton('pecks.waiting', () => new Map<string, number>())

/** Takes a place of that account and returns what frees it, which may be called twice. Throws `waiting_too_many`. */
export function takePlace(context: OperatorContext<'waiting_too_many'>): () => void {
  const ducklingId = context.caller.id
  const places = placesTaken(ducklingId)
  if (places >= placesMax) throw context.fail('waiting_too_many', { retry_after: retryAfterSeconds })
  taken().set(ducklingId, places + 1)
  let isFree = false
  return () => {
    if (isFree) return
    isFree = true
    const left = placesTaken(ducklingId) - 1
    if (left > 0) taken().set(ducklingId, left)
    else taken().delete(ducklingId)
  }
}

/** Returns how many places of that account are taken here. */
export function placesTaken(ducklingId: string): number {
  return taken().get(ducklingId) ?? 0
}

/**
 * Throws `session_invalid`, `beak_key_invalid` or `agent_not_bonded` when the credential of somebody who waited has ended
 * meanwhile: nothing may be handed to it.
 */
export async function checkStillLive(
  context: OperatorContext<'session_invalid' | 'beak_key_invalid' | 'agent_not_bonded'>,
  now: Date,
): Promise<void> {
  const { caller } = context
  if (caller.type === 'agent') {
    const ended = await agentEnded(caller.keyId, now)
    if (ended !== null) throw context.fail(ended)
  } else if (!(await isSessionLive(caller.sessionId, now))) throw context.fail('session_invalid')
}
