import { describeFailure } from '@/lib/db/full-disk'
import { minute, readClock } from '@/lib/kernel/clock'
import { log } from '@/lib/kernel/log'

/** Three renewals may fail before a claim of 10 seconds expires. */
export const renewSeconds = 2.5
/** Work that takes longer is considered hung: its claim expires, although the process is alive. */
export const longestWorkSeconds = 5 * minute

/**
 * Runs `work` and renews its claim meanwhile. `renew` returns false when the claim is lost; the work goes on then, because it
 * cannot be interrupted. No renewal is running when this returns.
 */
export async function whileRenewed<T>(
  renew: (now: Date) => Promise<boolean>,
  work: () => Promise<T>,
): Promise<T> {
  let left = longestWorkSeconds / renewSeconds
  let renewal: Promise<void> | null = null
  const renewOnce = async () => {
    try {
      if (!(await renew(readClock()))) clearInterval(timer)
    } catch (error) {
      log().warn({ error: describeFailure(error) }, 'claim not renewed')
    }
    renewal = null
  }
  const timer = setInterval(() => {
    if (left-- <= 0) clearInterval(timer)
    else renewal ??= renewOnce()
  }, renewSeconds * 1000)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewal
  }
}
