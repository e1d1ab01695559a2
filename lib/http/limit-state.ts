import type { AnyLimitGroup, Rate } from '@/lib/kernel/config/limits'

/** What is taken from which bucket. */
export interface Taking {
  group: AnyLimitGroup
  key: string
  rate: Rate
  tokens: number
}

/** The result of taking a token from a bucket. */
export interface Taken {
  success: boolean
  remaining: number
  /** Milliseconds until one more token is available or, after a refusal, as many as were refused. */
  wait: number
}

/** The same, with what the answer to a call says about the limit. */
export interface LimitState {
  group: AnyLimitGroup
  rate: Rate
  success: boolean
  remaining: number
  /** Seconds until one more token is available or, after a refusal, as many as were refused. */
  retryAfter: number
}

export function stateOf(group: AnyLimitGroup, rate: Rate, { success, remaining, wait }: Taken): LimitState {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000))
  return { group, rate, success, remaining: Math.max(0, remaining), retryAfter }
}
