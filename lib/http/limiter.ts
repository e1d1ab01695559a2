/**
 * Token buckets through `@upstash/ratelimit`: in this process by default, in Redis where one is configured, so that the
 * limits hold over all instances (contract A). The in-process algorithm refills continuously.
 *
 * While Redis is away, sign-up, sign-in and the requests for codes are refused (E5002): whoever can disturb Redis must not
 * get to guess without limit. The rest go on, limited by this process alone.
 */
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { connectRedis, type RedisScripts } from '@/lib/db/redis'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { fail } from '@/lib/kernel/failures'
import type { LimitGroup, Rate } from '@/lib/kernel/limit-table'
import { describeError, log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'

type Algorithm = RatelimitConfig['limiter']

interface Bucket {
  tokens: number
  at: number
}

/** Beyond this many buckets the ones unused for longest are forgotten, full or not: memory has an end too. */
const bucketsMax = 100_000

/** The library's `Algorithm`, kept in memory: capacity `burst`, `perMinute` tokens a minute, refilled continuously. */
export function memoryBucket({ perMinute, burst }: Rate, clock: () => Date = readClock): Algorithm {
  const perMs = perMinute / 60_000
  // What adding fractions may lose: the tokens of two microseconds.
  const slack = perMs * 0.002
  // In order of last use.
  const buckets = new Map<string, Bucket>()
  const fill = (bucket: Bucket | undefined, now: number): Bucket => {
    if (!bucket) return { tokens: burst, at: now }
    return { tokens: Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs), at: now }
  }
  const state = ({ tokens }: Bucket, now: number) => {
    const whole = Math.floor(tokens + slack)
    // The first millisecond at which the next whole token is there.
    return { limit: burst, remaining: whole, reset: now + Math.ceil((whole + 1 - tokens) / perMs - 0.001) }
  }
  // A full bucket is as good as none. Looking at two a call is more than a call adds, so they never pile up.
  const forgetOldest = (now: number) => {
    let looked = 0
    for (const [key, bucket] of buckets) {
      if (buckets.size > bucketsMax || fill(bucket, now).tokens >= burst) buckets.delete(key)
      if (++looked === 2) return
    }
  }
  return () => ({
    limit: async (_context, key) => {
      const now = clock().getTime()
      const bucket = fill(buckets.get(key), now)
      const success = bucket.tokens >= 1 - slack
      if (success) bucket.tokens = Math.max(0, bucket.tokens - 1)
      buckets.delete(key)
      buckets.set(key, bucket)
      forgetOldest(now)
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

/** The library wants a Redis even where its algorithm uses none; this one is never called. */
const noRedis = {
  evalsha: () => Promise.reject(new Error('no Redis is configured')),
} as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis']

/** The library's Redis script refills whole tokens at whole milliseconds: one at a time while that is fine enough. */
function redisBucket({ perMinute, burst }: Rate): Algorithm {
  if (perMinute > 6_000) return Ratelimit.tokenBucket(Math.round(perMinute / 600), '100 ms', burst)
  return Ratelimit.tokenBucket(1, `${Math.round(60_000 / perMinute)} ms`, burst)
}

/** The limiter of a group at a rate; in this process where `redis` is null. */
export function makeLimiter(group: string, rate: Rate, redis: RedisScripts | null): Ratelimit {
  return new Ratelimit({
    prefix: `beak:limit:${group}`,
    ephemeralCache: false,
    // The library would let everything through after its timeout; the Redis client has one of its own, which fails.
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
  /** Seconds until one more request is let through. */
  retryAfter: number
}

/** Spec silent: what guessing lives on is refused while nobody counts. */
const closedWithoutRedis: ReadonlySet<LimitGroup> = new Set(['signup', 'signin', 'otp'])
const retryWithoutRedis = 5
/** How long a Redis that has failed is not asked again: one that hangs must not hold up every request. */
const pauseMs = 1_000
/** One line so often: an outage must not fill the log. */
const logPauseMs = 10_000

const limits = () =>
  singleton('limiters', () => ({ limiters: new Map<string, Ratelimit>(), failedAt: 0, loggedAt: 0 }))

/** Takes one token of the bucket `key` in the group. `rate` overrides the group's (enterprise accounts). */
export async function takeToken(group: LimitGroup, key: string, rate: Rate | null): Promise<LimitState> {
  const applied = rate ?? config().limits[group]
  const redis = connectRedis()
  if (redis === null) return takeFrom(null, group, key, applied)
  if (Math.abs(readClock().getTime() - limits().failedAt) >= pauseMs) {
    try {
      return await takeFrom(redis, group, key, applied)
    } catch (error) {
      noteAway(group, error)
    }
  }
  if (closedWithoutRedis.has(group)) throw fail('unavailable', { retry_after: retryWithoutRedis })
  return takeFrom(null, group, key, applied)
}

async function takeFrom(
  redis: RedisScripts | null,
  group: LimitGroup,
  key: string,
  rate: Rate,
): Promise<LimitState> {
  const { limiters } = limits()
  const name = `${redis === null ? 'here' : 'redis'}:${group}:${rate.perMinute}/${rate.burst}`
  let limiter = limiters.get(name)
  if (!limiter) {
    limiter = makeLimiter(group, rate, redis)
    limiters.set(name, limiter)
  }
  const { success, remaining, reset } = await limiter.limit(key)
  const retryAfter = Math.max(1, Math.ceil((reset - readClock().getTime()) / 1000))
  return { group, rate, success, remaining: Math.max(0, remaining), retryAfter }
}

function noteAway(group: LimitGroup, error: unknown): void {
  const state = limits()
  state.failedAt = readClock().getTime()
  if (Math.abs(state.failedAt - state.loggedAt) < logPauseMs) return
  state.loggedAt = state.failedAt
  log().error(
    { group, error: describeError(error) },
    'Redis does not answer: limits are counted in this process',
  )
}
