/** Limits by address. An IPv6 address counts by its /64 and, with a wider limit, by its /48, because one customer can have all of it. */
import { config } from '@/lib/kernel/config'
import type { AnyLimitGroup } from '@/lib/kernel/config/limit-table'
import { wideLimitKeyOf } from '@/lib/kernel/ip-address'
import { limitKey } from './address'
import type { LimitState } from './limit-state'
import { takeToken } from './limiter'

/** A /48 may do as much as so many of its /64. A whole office, or a village, can share one. */
const wideFactor = 4

/**
 * Takes tokens of the bucket of an address and, for IPv6, of its /48. What the /64 refuses takes nothing from the /48, so one host alone cannot
 * spend the limit of its neighbours. Returns no promise when the buckets are in the memory of this process.
 */
export function takeByAddress(
  group: AnyLimitGroup,
  ip: string | null,
  tokens?: number,
): LimitState | Promise<LimitState> {
  const own = takeToken(group, limitKey(ip), null, tokens)
  const wide = ip === null ? null : wideLimitKeyOf(ip)
  if (wide === null) return own
  const { perMinute, burst } = config().limits[group]
  const takeWide = (state: LimitState) => {
    if (!state.success) return state
    const taken = takeToken(
      group,
      wide,
      { perMinute: perMinute * wideFactor, burst: burst * wideFactor },
      tokens,
    )
    return taken instanceof Promise ? taken.then((all) => narrower(state, all)) : narrower(state, taken)
  }
  return own instanceof Promise ? own.then(takeWide) : takeWide(own)
}

/** The answer names the limit of the /64, unless the /48 refuses. */
const narrower = (own: LimitState, wide: LimitState) => (wide.success ? own : wide)
