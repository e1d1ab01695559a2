/**
 * Token buckets with `@upstash/ratelimit`. They are in Redis when it is configured, so that the limits count for all instances
 * together (contract A), else in the memory of this process, where they refill continuously.
 *
 * While Redis does not answer, sign-up, sign-in and requests for codes are refused (E5002), because an attacker who disturbs
 * Redis must not be able to guess without a limit. Other calls are limited by this process.
 */
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { connectRedis, type RedisScripts } from '@/lib/db/redis'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { fail } from '@/lib/kernel/failures'
import type { LimitGroup, Rate } from '@/lib/kernel/limit-table'
import { describeError, log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'
import { isCountedElsewhere, takeElsewhere } from './shared-limits'

type Algorithm = RatelimitConfig['limiter']

interface Bucket {
  tokens: number
  at: number
}

/** When there are more buckets, the least recently used ones are deleted, which bounds the memory. */
const bucketsMax = 100_000

/** Returns an `Algorithm` of the library in memory: capacity `burst`, `perMinute` tokens a minute, refilled continuously. */
export function memoryBucket({ perMinute, burst }: Rate, clock: () => Date = readClock): Algorithm {
  const perMs = perMinute / 60_000
  // Rounding errors may lose the tokens of two microseconds.
  const tolerance = perMs * 0.002
  // Ordered by last use, oldest first.
  const buckets = new Map<string, Bucket>()
  const fill = (bucket: Bucket | undefined, now: number): Bucket => {
    if (!bucket) return { tokens: burst, at: now }
    return { tokens: Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs), at: now }
  }
  const state = ({ tokens }: Bucket, now: number) => {
    const whole = Math.floor(tokens + tolerance)
    // The first millisecond at which another token is available.
    return { limit: burst, remaining: whole, reset: now + Math.ceil((whole + 1 - tokens) / perMs - 0.001) }
  }
  // A full bucket can be deleted, because a new bucket is full too. Each call adds one bucket and checks two, so full ones do not accumulate.
  const deleteUnneeded = (now: number) => {
    let checked = 0
    for (const [key, bucket] of buckets) {
      if (buckets.size > bucketsMax || fill(bucket, now).tokens >= burst) buckets.delete(key)
      if (++checked === 2) return
    }
  }
  return () => ({
    limit: async (_context, key) => {
      const now = clock().getTime()
      const bucket = fill(buckets.get(key), now)
      const success = bucket.tokens >= 1 - tolerance
      if (success) bucket.tokens = Math.max(0, bucket.tokens - 1)
      buckets.delete(key)
      buckets.set(key, bucket)
      deleteUnneeded(now)
      return { success, pending: Promise.resolve(), ...state(bucket, now) }
    },
    getRemaining: async (_context, key) => {
      const now = clock().getTime()
      return state(fill(buckets.get(key), now), now)
    },
    resetTokens: async (_context, key) => {
      buckets.delete(key)
    },
  })
}

/** The library requires a Redis client even for an algorithm in memory. This client is never called. */
const noRedis = {
  evalsha: () => Promise.reject(new Error('no Redis is configured')),
} as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis']

/** The library's Redis script adds whole tokens at whole milliseconds. For high rates, one token per interval would be too coarse. */
function redisBucket({ perMinute, burst }: Rate): Algorithm {
  if (perMinute > 6_000) return Ratelimit.tokenBucket(Math.round(perMinute / 600), '100 ms', burst)
  return Ratelimit.tokenBucket(1, `${Math.round(60_000 / perMinute)} ms`, burst)
}

/** Returns the limiter of a group and rate. It counts in this process when `redis` is null. */
export function makeLimiter(group: string, rate: Rate, redis: RedisScripts | null): Ratelimit {
  return new Ratelimit({
    prefix: `beak:limit:${group}`,
    ephemeralCache: false,
    // After its own timeout the library would allow every request. The Redis client has a timeout that throws.
    timeout: 0,
    analytics: false,
    redis: (redis ?? noRedis) as typeof noRedis,
    limiter: redis === null ? memoryBucket(rate) : redisBucket(rate),
  })
}

export interface LimitState {
  group: LimitGroup
  rate: Rate
  success: boolean
  remaining: number
  /** Seconds until one more request is allowed. */
  retryAfter: number
}

/** Groups that limit guessing. The specification does not say what to do without Redis; refusing is the safe choice. */
const refusedWithoutRedis: ReadonlySet<LimitGroup> = new Set(['signup', 'signin', 'otp'])
const retryWithoutRedis = 5
/** Time without calls to Redis after a failure, so that a Redis that hangs does not delay every request. */
const redisPauseMs = 1_000
/** Minimum time between two log lines, so that an outage does not fill the log. */
const logPauseMs = 10_000

const limits = () =>
  singleton('limiters', () => ({ limiters: new Map<string, Ratelimit>(), failedAt: 0, loggedAt: 0 }))

/** Takes one token of the bucket `key` in the group. `rate` replaces the rate of the group (enterprise accounts). */
export async function takeToken(group: LimitGroup, key: string, rate: Rate | null): Promise<LimitState> {
  const applied = rate ?? config().limits[group]
  const redis = connectRedis()
  if (redis === null) return takeLocally(group, key, applied)
  if (Math.abs(readClock().getTime() - limits().failedAt) >= redisPauseMs) {
    try {
      return await takeFrom(redis, group, key, applied)
    } catch (error) {
      recordRedisFailure(group, error)
    }
  }
  if (refusedWithoutRedis.has(group)) throw fail('unavailable', { retry_after: retryWithoutRedis })
  return takeLocally(group, key, applied)
}

/** Takes a token in the memory of this process, or of the process that counts for this one. */
function takeLocally(group: LimitGroup, key: string, rate: Rate): Promise<LimitState> {
  return isCountedElsewhere() ? takeElsewhere(group, key, rate) : takeInMemory(group, key, rate)
}

/** Takes a token in the memory of this process. */
export function takeInMemory(group: LimitGroup, key: string, rate: Rate): Promise<LimitState> {
  return takeFrom(null, group, key, rate)
}

async function takeFrom(
  redis: RedisScripts | null,
  group: LimitGroup,
  key: string,
  rate: Rate,
): Promise<LimitState> {
  const { limiters } = limits()
  const name = `${redis === null ? 'memory' : 'redis'}:${group}:${rate.perMinute}/${rate.burst}`
  let limiter = limiters.get(name)
  if (!limiter) {
    limiter = makeLimiter(group, rate, redis)
    limiters.set(name, limiter)
  }
  const { success, remaining, reset } = await limiter.limit(key)
  const retryAfter = Math.max(1, Math.ceil((reset - readClock().getTime()) / 1000))
  return { group, rate, success, remaining: Math.max(0, remaining), retryAfter }
}

function recordRedisFailure(group: LimitGroup, error: unknown): void {
  const state = limits()
  state.failedAt = readClock().getTime()
  if (Math.abs(state.failedAt - state.loggedAt) < logPauseMs) return
  state.loggedAt = state.failedAt
  log().error(
    { group, error: describeError(error) },
    'Redis does not answer: limits are counted in this process',
  )
}
