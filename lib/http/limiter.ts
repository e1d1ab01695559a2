/**
 * Token buckets with `@upstash/ratelimit`. They are in Redis when it is configured, so that the limits count for all instances
 * together, else in the memory of this process, where they refill continuously.
 *
 * While Redis does not answer, sign-up, sign-in and requests for codes are refused (E5002), because an attacker who disturbs
 * Redis must not be able to guess without a limit. Other calls are limited by this process.
 */

import { Recent } from '@beak/decision/recent'
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { connectRedis, type RedisScripts } from '@/lib/db/redis'
import { config } from '@/lib/kernel/config'
import type { AnyLimitGroup, Rate } from '@/lib/kernel/config/limits'
import { fail } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { type LimitState, stateOf, type Taken, type Taking } from './limit-state'
import { isCountedElsewhere, takeElsewhere } from './places'

type Algorithm = RatelimitConfig['limiter']

interface Bucket {
  tokens: number
  at: number
}

/** When there are more buckets, the least recently used ones are deleted, which bounds the memory. */
const bucketsMax = 100_000

/**
 * Returns a function that takes tokens of the bucket of a key, in memory: all of them or, when there are fewer, none. A bucket has the capacity
 * `burst` and refills continuously, with `perMinute` tokens a minute. `now` is in milliseconds.
 */
export function memoryBuckets({
  perMinute,
  burst,
}: Rate): (key: string, now: number, tokens?: number) => Taken {
  const perMs = perMinute / 60_000
  // Rounding errors may lose the tokens of two microseconds.
  const tolerance = perMs * 0.002
  const buckets = new Recent<Bucket>(bucketsMax)
  // A bucket that was not used for this time is full, like a new one.
  const idleMs = burst / perMs
  let forgotAt = 0
  return (key, now, tokens = 1) => {
    if (now - forgotAt >= idleMs) {
      buckets.forgetOlder()
      forgotAt = now
    }
    const bucket = buckets.find(key) ?? buckets.keep(key, { tokens: burst, at: now })
    const before = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    const success = before >= tokens - tolerance
    bucket.tokens = success ? Math.max(0, before - tokens) : before
    bucket.at = now
    const remaining = Math.floor(bucket.tokens + tolerance)
    const wanted = success ? remaining + 1 : tokens
    // The first millisecond at which another token is available, or as many as were refused.
    const wait = Math.ceil((wanted - bucket.tokens) / perMs - 0.001)
    return { success, remaining, wait }
  }
}

/** The library's Redis script adds whole tokens at whole milliseconds. For high rates, one token per interval would be too coarse. */
function redisBucket({ perMinute, burst }: Rate): Algorithm {
  if (perMinute > 6_000) return Ratelimit.tokenBucket(Math.round(perMinute / 600), '100 ms', burst)
  return Ratelimit.tokenBucket(1, `${Math.round(60_000 / perMinute)} ms`, burst)
}

/** The library's arguments of its script: capacity, interval, tokens per interval, the time, and the tokens to take. */
const scriptArguments = 5
const timeArgument = 3

/** Lets the library count with the clock of the service. It would use the clock of the machine, and a wrong clock empties the buckets of all instances. */
function onServiceClock(redis: RedisScripts): RedisScripts {
  const withTime = (args: unknown[]) => {
    if (args.length !== scriptArguments) throw new Error('the script of the rate limiter has other arguments')
    return args.map((value, index) => (index === timeArgument ? readClock().getTime() : value))
  }
  return {
    ...redis,
    evalsha: (sha, keys, args) => redis.evalsha(sha, keys, withTime(args)),
    eval: (script, keys, args) => redis.eval(script, keys, withTime(args)),
  }
}

/** Returns the limiter of a group and rate that counts in Redis. */
export function makeLimiter(group: string, rate: Rate, redis: RedisScripts): Ratelimit {
  return new Ratelimit({
    prefix: `beak:limit:${group}`,
    ephemeralCache: false,
    // After its own timeout the library would allow every request. The Redis client has a timeout that throws.
    timeout: 0,
    analytics: false,
    redis: onServiceClock(redis) as unknown as RatelimitConfig['redis'],
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

/** A call that costs more than the bucket holds must be possible, too. It has taken its first token when it takes the others. */
const mostOf = ({ burst }: Rate) => Math.max(1, burst - 1)

/**
 * Takes tokens of the bucket `key` in the group, all of them or none. `rate` replaces the rate of the group (enterprise accounts). Returns no promise when the buckets are in the memory of this process.
 */
export function takeToken(
  group: AnyLimitGroup,
  key: string,
  rate: Rate | null,
  tokens = 1,
): LimitState | Promise<LimitState> {
  const applied = rate ?? config().limits[group]
  const taking = { group, key, rate: applied, tokens: Math.min(tokens, mostOf(applied)) }
  const redis = connectRedis()
  return redis === null ? takeLocally(taking) : takeShared(redis, taking)
}

async function takeShared(redis: RedisScripts, taking: Taking): Promise<LimitState> {
  const { group } = taking
  if (Math.abs(readClock().getTime() - limits().failedAt) >= redisPauseMs) {
    try {
      return await takeFromRedis(redis, taking)
    } catch (error) {
      recordRedisFailure(group, error)
    }
  }
  if (refusedWithoutRedis.has(group)) throw fail('unavailable', { retry_after: retryWithoutRedis })
  return takeLocally(taking)
}

/** Takes tokens in the memory of this process, or of the process that counts for this one. */
function takeLocally(taking: Taking): LimitState | Promise<LimitState> {
  return isCountedElsewhere() ? takeElsewhere(taking) : takeInMemory(taking)
}

/** Takes tokens in the memory of this process. */
export function takeInMemory({ group, key, rate, tokens }: Taking): LimitState {
  const take = limiterOf(limits().memory, group, rate, () => memoryBuckets(rate))
  return stateOf(group, rate, take(key, readClock().getTime(), tokens))
}

async function takeFromRedis(redis: RedisScripts, { group, key, rate, tokens }: Taking): Promise<LimitState> {
  const limiter = limiterOf(limits().redis, group, rate, () => makeLimiter(group, rate, redis))
  const { success, remaining, reset } = await limiter.limit(key, { rate: tokens })
  // The library says when the next token comes. Of several that were refused, the others come after it.
  const others = success ? 0 : ((tokens - 1) * 60_000) / rate.perMinute
  return stateOf(group, rate, { success, remaining, wait: reset - readClock().getTime() + others })
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
