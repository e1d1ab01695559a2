/** Redis for the limiter: a plain server over ioredis, or Upstash over HTTP. */
import { Redis as UpstashRedis } from '@upstash/redis'
import { Redis } from 'ioredis'
import { config } from '@/lib/kernel/config'
import { once } from '@/lib/kernel/global'

/** What `@upstash/ratelimit` calls of its Redis. */
export interface RedisScripts {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>
}

/** Upstash's own flag line, which a plain Redis 7 refuses as unknown. */
const flagLine = /^#!lua[^\n]*\n/

function plainRedis(url: string): RedisScripts {
  // Without these, commands wait in a queue while the server is away: a limit check must fail at once instead.
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 1_000 })
  client.on('error', () => undefined)
  return {
    evalsha: (sha, keys, args) => client.evalsha(sha, keys.length, ...keys, ...(args as string[])),
    eval: (script, keys, args) =>
      client.eval(script.replace(flagLine, ''), keys.length, ...keys, ...(args as string[])),
  }
}

/** The configured Redis, or null. */
export function connectRedis(): RedisScripts | null {
  return once('redis', () => {
    const { redis } = config()
    if (redis === null) return null
    if ('url' in redis) return plainRedis(redis.url)
    return new UpstashRedis({ url: redis.restUrl, token: redis.restToken }) as unknown as RedisScripts
  })
}
