/**
 * Who holds the places for heavy calls of an account. A place is a lease, because the process that holds it can die. In Redis the places hold over
 * all instances.
 */
import type { RedisScripts } from '@/lib/db/redis'
import { readClock } from '@/lib/kernel/clock'
import { singleton } from '@/lib/kernel/singleton'

/** Heavy calls of one account that run at once. */
export const placesMax = 2
/** Longer than any heavy call takes. */
const leaseMs = 30_000

/** Takes a place of an account for a lease, or gives it back. */
export interface PlaceChange {
  account: string
  lease: string
  isEnd: boolean
}

const holders = () => singleton('places.holders', () => new Map<string, Map<string, number>>())

/** Takes a place or gives it back in the memory of this process. Returns whether there was one. */
export function changePlaceInMemory({ account, lease, isEnd }: PlaceChange): boolean {
  const all = holders()
  const held = all.get(account) ?? new Map<string, number>()
  if (isEnd) {
    held.delete(lease)
    if (held.size === 0) all.delete(account)
    return true
  }
  const now = readClock().getTime()
  for (const [other, end] of held) if (end <= now) held.delete(other)
  if (held.size >= placesMax) return false
  held.set(lease, now + leaseMs)
  all.set(account, held)
  return true
}

/** By the clock of Redis, because those of the instances differ. */
const takeScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`
const endScript = `redis.call('ZREM', KEYS[1], ARGV[1]) return 1`

/** Does the same as `changePlaceInMemory`, in Redis. */
export async function changePlaceInRedis(
  redis: RedisScripts,
  { account, lease, isEnd }: PlaceChange,
): Promise<boolean> {
  const keys = [`beak:places:${account}`]
  const changed = isEnd
    ? await redis.eval(endScript, keys, [lease])
    : await redis.eval(takeScript, keys, [lease, placesMax, leaseMs])
  return Number(changed) === 1
}
