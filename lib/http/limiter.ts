/**
 * Token buckets through `@upstash/ratelimit`: in this process by default, in Redis where one is configured, so that the
 * limits hold over all instances (contract A). The in-process algorithm refills continuously.
 */
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { readClock } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { once } from '@/lib/kernel/global'
import type { LimitGroup, Rate } from '@/lib/kernel/limit-table'
import { connectRedis, type RedisScripts } from './redis'

type Algorithm = RatelimitConfig['limiter']

interface Bucket {
  tokens: number
  at: number
}

/** Beyond this many buckets the full ones, which are as good as none, are forgotten. */
const bucketsMax = 100_000

function forgetFull(buckets: Map<string, Bucket>, now: number, perMs: number, burst: number): void {
  for (const [key, bucket] of buckets) {
    if (bucket.tokens + (now - bucket.at) * perMs >= burst) buckets.delete(key)
  }
}

/** The library's `Algorithm`, kept in memory: capacity `burst`, `perMinute` tokens a minute, refilled continuously. */
export function memoryBucket({ perMinute, burst }: Rate, clock: () => Date = readClock): Algorithm {
  const perMs = perMinute / 60_000
  const buckets = new Map<string, Bucket>()
  const fill = (key: string, now: number): Bucket => {
    const bucket = buckets.get(key)
    if (!bucket) return { tokens: burst, at: now }
    return { tokens: Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs), at: now }
  }
  const state = (bucket: Bucket, now: number) => ({
    limit: burst,
    remaining: Math.floor(bucket.tokens + 1e-9),
    // When the next whole token is there.
    reset: now + (Math.floor(bucket.tokens) + 1 - bucket.tokens) / perMs,
  })
  return () => ({
    limit: async (_context, key) => {
      const now = clock().getTime()
      const bucket = fill(key, now)
      const success = bucket.tokens >= 1 - 1e-9
      if (success) bucket.tokens -= 1
      buckets.set(key, bucket)
      if (buckets.size > bucketsMax) forgetFull(buckets, now, perMs, burst)
      return { success, pending: Promise.resolve(), ...state(bucket, now) }
    },
    getRemaining: async (_context, key) => {
      const now = clock().getTime()
      return state(fill(key, now), now)
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

function makeLimiter(group: string, rate: Rate, redis: RedisScripts | null): Ratelimit {
  const shared = {
    prefix: `beak:limit:${group}`,
    ephemeralCache: false,
    timeout: 0,
    analytics: false,
  } as const
  if (redis === null) return new Ratelimit({ ...shared, redis: noRedis, limiter: memoryBucket(rate) })
  // One token at a time is the finest step the library's Redis script refills in.
  const step = `${Math.max(1, Math.round(60_000 / rate.perMinute))} ms` as const
  return new Ratelimit({
    ...shared,
    redis: redis as unknown as typeof noRedis,
    limiter: Ratelimit.tokenBucket(1, step, rate.burst),
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

/** Takes one token of the bucket `key` in the group. `rate` overrides the group's (enterprise accounts). */
export async function takeToken(group: LimitGroup, key: string, rate: Rate | null): Promise<LimitState> {
  const applied = rate ?? config().limits[group]
  const limiters = once('limiters', () => new Map<string, Ratelimit>())
  const name = `${group}:${applied.perMinute}/${applied.burst}`
  let limiter = limiters.get(name)
  if (!limiter) {
    limiter = makeLimiter(group, applied, connectRedis())
    limiters.set(name, limiter)
  }
  const { success, remaining, reset } = await limiter.limit(key)
  const retryAfter = Math.max(1, Math.ceil((reset - readClock().getTime()) / 1000 - 1e-6))
  return { group, rate: applied, success, remaining: Math.max(0, remaining), retryAfter }
}
