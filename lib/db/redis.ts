/** Redis for the rate limiter: a server over ioredis, or Upstash over HTTP. */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'

/** The methods that `@upstash/ratelimit` and the status page call. */
export interface RedisScripts {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>
  ping(): Promise<unknown>
  close(): void
}

/** A limit check that takes longer has failed. */
const timeoutMs = 1_000

/** A line of flags that Upstash adds and that Redis 7 rejects. */
const flagLine = /^#!lua[^\n]*\n/

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/**
 * Adapts a Redis server to the library. The library names a script by its digest with the flag line. Here the digest is taken without
 * that line, as Redis received it, so the script is sent once and not with every request.
 */
function plainRedis(url: string): RedisScripts {
  const opening = openRedis(url)
  const run = (command: (client: Redis) => Promise<unknown>) =>
    withTimeout(timeoutMs / 1000, opening.then(command))
  const digests = new Map<string, string>()
  return {
    evalsha: async (sha, keys, args) => {
      const digest = digests.get(sha)
      if (digest === undefined) throw new Error('NOSCRIPT not sent yet')
      return run((client) => client.evalsha(digest, keys.length, ...keys, ...(args as string[])))
    },
    eval: (script, keys, args) => {
      const plain = script.replace(flagLine, '')
      digests.set(sha1(script), sha1(plain))
      return run((client) => client.eval(plain, keys.length, ...keys, ...(args as string[])))
    },
    ping: () => run((client) => client.ping()),
    close: () => void opening.then((client) => client.disconnect()),
  }
}

/** Loads the library, which takes 15 MiB, and returns a client after its first connection attempt has ended. */
async function openRedis(url: string): Promise<Redis> {
  const { Redis: Client } = await import('ioredis')
  // By default, commands wait in a queue while the server is down. A limit check must fail at once instead.
  const client = new Client(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  })
  client.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    client.once('ready', resolve)
    client.once('close', resolve)
  })
  return client
}

function upstash(url: string, token: string): RedisScripts {
  const opening = import('@upstash/redis').then(
    ({ Redis: Client }) =>
      new Client({
        url,
        token,
        retry: false,
        enableTelemetry: false,
        signal: () => AbortSignal.timeout(timeoutMs),
      }),
  )
  return {
    evalsha: async (sha, keys, args) => (await opening).evalsha(sha, keys, args),
    eval: async (script, keys, args) => (await opening).eval(script, keys, args),
    ping: async () => (await opening).ping(),
    close: () => undefined,
  }
}

/** Returns the configured Redis, or null. */
export function connectRedis(): RedisScripts | null {
  return singleton('redis', () => {
    const { redis } = config()
    if (redis === null) return null
    return 'url' in redis ? plainRedis(redis.url) : upstash(redis.restUrl, redis.restToken)
  })
}
