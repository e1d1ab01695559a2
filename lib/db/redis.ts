/** Redis for the limiter: a plain server over ioredis, or Upstash over HTTP. */
import { createHash } from 'node:crypto'
import { Redis as UpstashRedis } from '@upstash/redis'
import { Redis } from 'ioredis'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'

/** What `@upstash/ratelimit` calls of its Redis, and what the status page asks. */
export interface RedisScripts {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>
  ping(): Promise<unknown>
  close(): void
}

/** A limit check that takes longer is a limit check that failed. */
const timeoutMs = 1_000

/** Upstash's own flag line, which a plain Redis 7 refuses as unknown. */
const flagLine = /^#!lua[^\n]*\n/

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/**
 * A plain Redis in the shape the library wants. The library names its scripts by their digest with the flag line; here each
 * goes by the digest of what Redis was really given, so that it travels once and not with every request.
 */
function plainRedis(url: string): RedisScripts {
  // Without these, commands wait in a queue while the server is away: a limit check must fail at once instead.
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  })
  client.on('error', () => undefined)
  // The requests of the first moment wait until it is clear whether there is a server.
  const tried = new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.once('close', resolve)
  })
  const ask = (command: () => Promise<unknown>) => withTimeout(timeoutMs / 1000, tried.then(command))
  const digests = new Map<string, string>()
  return {
    evalsha: async (sha, keys, args) => {
      const digest = digests.get(sha)
      if (digest === undefined) throw new Error('NOSCRIPT not given yet')
      return ask(() => client.evalsha(digest, keys.length, ...keys, ...(args as string[])))
    },
    eval: (script, keys, args) => {
      const plain = script.replace(flagLine, '')
      digests.set(sha1(script), sha1(plain))
      return ask(() => client.eval(plain, keys.length, ...keys, ...(args as string[])))
    },
    ping: () => ask(() => client.ping()),
    close: () => client.disconnect(),
  }
}

function upstash(url: string, token: string): RedisScripts {
  const client = new UpstashRedis({
    url,
    token,
    retry: false,
    enableTelemetry: false,
    signal: () => AbortSignal.timeout(timeoutMs),
  })
  return {
    evalsha: (sha, keys, args) => client.evalsha(sha, keys, args),
    eval: (script, keys, args) => client.eval(script, keys, args),
    ping: () => client.ping(),
    close: () => undefined,
  }
}

/** The configured Redis, or null. */
export function connectRedis(): RedisScripts | null {
  return singleton('redis', () => {
    const { redis } = config()
    if (redis === null) return null
    return 'url' in redis ? plainRedis(redis.url) : upstash(redis.restUrl, redis.restToken)
  })
}
