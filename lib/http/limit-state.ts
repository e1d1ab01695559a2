import type { AnyLimitGroup, Rate } from '@/lib/kernel/config/limit-table'

/** The result of taking a token from a bucket. */
export interface Taken {
  success: boolean
  remaining: number
  /** Milliseconds until one more request is allowed. */
  wait: number
}

/** The same, with what the answer to a call says about the limit. */
export interface LimitState {
  group: AnyLimitGroup
  rate: Rate
  success: boolean
  remaining: number
  /** Seconds until one more request is allowed. */
  retryAfter: number
}

export function stateOf(group: AnyLimitGroup, rate: Rate, { success, remaining, wait }: Taken): LimitState {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000))
  return { group, rate, success, remaining: Math.max(0, remaining), retryAfter }
}
