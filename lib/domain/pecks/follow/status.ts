import { grantTokensOf } from '@/lib/domain/pecks/grant/tokens'
import { findPeck, requireVisible } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeckTo } from '@/lib/domain/pecks/schema'
import { statusOf } from '@/lib/domain/pecks/state'
import { watch } from '@/lib/infrastructure/events/changes'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import type { OperatorContext } from '@/lib/kernel/context'
import { acquireSlot, checkCredential, credentialTopic } from './connection-slots'

/**
 * Returns a peck. With `waitSeconds`, waits until the peck is decided or expires, the time is up, or the client disconnects (a
 * long poll). It waits for signals, without queries. Throws `peck_not_found`, `too_many_open_connections` when it must wait and the account
 * has no free slot, or the failures of `checkCredential` when the credential ended while it waited.
 */
export async function peckStatus(
  context: OperatorContext<
    | 'peck_not_found'
    | 'too_many_open_connections'
    | 'session_invalid'
    | 'beak_key_invalid'
    | 'account_suspended'
    | 'agent_not_bonded'
  >,
  peckId: string,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<PeckInput> {
  const { caller } = context
  const deadline = secondsAfter(context.now, waitSeconds)
  // Subscribes before the first read, so that no change between the two is missed.
  const changes = watch(peckId, credentialTopic(context))
  let releaseSlot: (() => void) | null = null
  try {
    // The only request that reads the clock more than once, because it waits.
    for (let { now } = context; ; now = readClock()) {
      const peck = requireVisible(context, await findPeck(peckId))
      // Checked after the read, so that a caller whose credential ended meanwhile gets nothing.
      if (releaseSlot !== null) await checkCredential(context, now)
      if (statusOf(peck, now) !== 'pending' || now >= deadline || signal.aborted)
        return presentPeckTo(caller, peck, now, (await grantTokensOf(caller, [peck], now)).get(peck.id))
      releaseSlot ??= acquireSlot(context)
      const end = Math.min(...[deadline, peck.rejectAt ?? peck.expiresAt].map(Number))
      await changes.next(end - now.getTime(), signal)
    }
  } finally {
    changes.stop()
    releaseSlot?.()
  }
}
