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
import type { AnyLimitGroup, Rate } from '@/lib/kernel/config/limit-table'
import { fail } from '@/lib/kernel/failures'
import { describeError, log } from '@/lib/kernel/log'
import { singleton } from '@/lib/kernel/singleton'
import { type LimitState, stateOf, type Taken } from './limit-state'
import { isCountedElsewhere, takeElsewhere } from './shared-limits'

type Algorithm = RatelimitConfig['limiter']

interface Bucket {
  tokens: number
  at: number
}

/** When there are more buckets, the least recently used ones are deleted, which bounds the memory. */
const bucketsMax = 100_000

/**
 * Returns a function that takes one token of the bucket of a key, in memory. A bucket has the capacity `burst` and refills
 * continuously, with `perMinute` tokens a minute. `now` is in milliseconds.
 */
export function memoryBuckets({ perMinute, burst }: Rate): (key: string, now: number) => Taken {
  const perMs = perMinute / 60_000
  // Rounding errors may lose the tokens of two microseconds.
  const tolerance = perMs * 0.002
  const bucketOf = recentlyUsed<Bucket>(burst / perMs)
  return (key, now) => {
    const bucket = bucketOf(key, now, () => ({ tokens: burst, at: now }))
    const before = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    const success = before >= 1 - tolerance
    bucket.tokens = success ? Math.max(0, before - 1) : before
    bucket.at = now
    const remaining = Math.floor(bucket.tokens + tolerance)
    // The first millisecond at which another token is available.
    const wait = Math.ceil((remaining + 1 - bucket.tokens) / perMs - 0.001)
    return { success, remaining, wait }
  }
}

/**
 * Returns a function that finds the value of a key or makes it. Keeps values in two generations, so no call has to search for what it can
 * delete. A value that was not used for `idleMs` may be deleted: its bucket is full, like a new one.
 */
function recentlyUsed<T>(idleMs: number): (key: string, now: number, make: () => T) => T {
  let recent = new Map<string, T>()
  let older = new Map<string, T>()
  let startedAt = 0
  return (key, now, make) => {
    const found = recent.get(key)
    if (found !== undefined) return found
    const value = older.get(key) ?? make()
    if (recent.size >= bucketsMax / 2 || now - startedAt >= idleMs) {
      older = recent
      recent = new Map()
      startedAt = now
    }
    recent.set(key, value)
    return value
  }
}

/** The library's Redis script adds whole tokens at whole milliseconds. For high rates, one token per interval would be too coarse. */
function redisBucket({ perMinute, burst }: Rate): Algorithm {
  if (perMinute > 6_000) return Ratelimit.tokenBucket(Math.round(perMinute / 600), '100 ms', burst)
  return Ratelimit.tokenBucket(1, `${Math.round(60_000 / perMinute)} ms`, burst)
}

/** Returns the limiter of a group and rate that counts in Redis. */
export function makeLimiter(group: string, rate: Rate, redis: RedisScripts): Ratelimit {
  return new Ratelimit({
    prefix: `beak:limit:${group}`,
    ephemeralCache: false,
    // After its own timeout the library would allow every request. The Redis client has a timeout that throws.
    timeout: 0,
    analytics: false,
    redis: redis as unknown as RatelimitConfig['redis'],
    limiter: redisBucket(rate),
  })
}

/** Groups that limit guessing. The specification does not say what to do without Redis; refusing is the safe choice. */
const refusedWithoutRedis: ReadonlySet<AnyLimitGroup> = new Set(['signup', 'signin', 'otp', 'code'])
const retryWithoutRedis = 5
/** Time without calls to Redis after a failure, so that a Redis that hangs does not delay every request. */
const redisPauseMs = 1_000
/** Minimum time between two log lines, so that an outage does not fill the log. */
const logPauseMs = 10_000

const limits = () =>
  singleton('limiters', () => ({
    memory: new Map<string, ReturnType<typeof memoryBuckets>>(),
    redis: new Map<string, Ratelimit>(),
    failedAt: 0,
    loggedAt: 0,
  }))

/**
 * Takes one token of the bucket `key` in the group. `rate` replaces the rate of the group (enterprise accounts). Returns no promise
 * when the buckets are in the memory of this process.
 */
export function takeToken(
  group: AnyLimitGroup,
  key: string,
  rate: Rate | null,
): LimitState | Promise<LimitState> {
  const applied = rate ?? config().limits[group]
  const redis = connectRedis()
  return redis === null ? takeLocally(group, key, applied) : takeShared(redis, group, key, applied)
}

async function takeShared(
  redis: RedisScripts,
  group: AnyLimitGroup,
  key: string,
  rate: Rate,
): Promise<LimitState> {
  if (Math.abs(readClock().getTime() - limits().failedAt) >= redisPauseMs) {
    try {
      return await takeFromRedis(redis, group, key, rate)
    } catch (error) {
      recordRedisFailure(group, error)
    }
  }
  if (refusedWithoutRedis.has(group)) throw fail('unavailable', { retry_after: retryWithoutRedis })
  return takeLocally(group, key, rate)
}

/** Takes a token in the memory of this process, or of the process that counts for this one. */
function takeLocally(group: AnyLimitGroup, key: string, rate: Rate): LimitState | Promise<LimitState> {
  return isCountedElsewhere() ? takeElsewhere(group, key, rate) : takeInMemory(group, key, rate)
}

/** Takes a token in the memory of this process. */
export function takeInMemory(group: AnyLimitGroup, key: string, rate: Rate): LimitState {
  const take = limiterOf(limits().memory, group, rate, () => memoryBuckets(rate))
  return stateOf(group, rate, take(key, readClock().getTime()))
}

async function takeFromRedis(
  redis: RedisScripts,
  group: AnyLimitGroup,
  key: string,
  rate: Rate,
): Promise<LimitState> {
  const limiter = limiterOf(limits().redis, group, rate, () => makeLimiter(group, rate, redis))
  const { success, remaining, reset } = await limiter.limit(key)
  return stateOf(group, rate, { success, remaining, wait: reset - readClock().getTime() })
}

function limiterOf<T>(limiters: Map<string, T>, group: AnyLimitGroup, rate: Rate, make: () => T): T {
  const name = `${group}:${rate.perMinute}/${rate.burst}`
  const existing = limiters.get(name)
  if (existing !== undefined) return existing
  const made = make()
  limiters.set(name, made)
  return made
}

function recordRedisFailure(group: AnyLimitGroup, error: unknown): void {
  const state = limits()
  state.failedAt = readClock().getTime()
  if (Math.abs(state.failedAt - state.loggedAt) < logPauseMs) return
  state.loggedAt = state.failedAt
  log().error(
    { group, error: describeError(error) },
    'Redis does not answer: limits are counted in this process',
  )
}
