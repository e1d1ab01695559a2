import { db } from '@/lib/db/client'
import { withGrantToken } from '@/lib/domain/pecks/grant/grant'
import { getVisiblePeck } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentReadPeck } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { watch } from '@/lib/infrastructure/events/changes'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import type { OperatorContext } from '@/lib/kernel/context'
import { checkStillLive, takePlace } from './waiting-places'

/** How often the row is looked at again: a decision made by another instance sends no signal here. */
const lookMilliseconds = 1000

/**
 * A peck as it is or, with `waitSeconds`, as soon as it is decided: a long poll, which ends with the peck as it then is when
 * the time is up, the peck expires or the client has gone. No transaction is open meanwhile. Throws `peck_missing`,
 * `waiting_too_many` when it would have to wait and the account has no place left, or what `checkStillLive` throws when the
 * credential ended while it waited.
 */
export async function peckStatus(
  context: OperatorContext<
    'peck_missing' | 'waiting_too_many' | 'session_invalid' | 'beak_key_invalid' | 'agent_not_bonded'
  >,
  peckId: string,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<PeckInput> {
  const { caller } = context
  const deadline = secondsAfter(context.now, waitSeconds)
  // Watched from before the first look, so that no change falls between the two.
  const changes = watch(peckId)
  let leavePlace: (() => void) | null = null
  try {
    // The one place a request reads the clock again: it is waiting for it.
    for (let { now } = context; ; now = readClock()) {
      const peck = await getVisiblePeck(db(), context, peckId)
      if (statusOf(peck, now) !== 'pending' || now >= deadline || signal.aborted) {
        if (leavePlace !== null) await checkStillLive(context, now)
        return presentReadPeck(await withGrantToken(caller, peck, now), now)
      }
      leavePlace ??= takePlace(context)
      const end = Math.min(deadline.getTime(), peck.expiresAt.getTime())
      await changes.next(Math.min(lookMilliseconds, end - now.getTime()), signal)
    }
  } finally {
    changes.stop()
    leavePlace?.()
  }
}
