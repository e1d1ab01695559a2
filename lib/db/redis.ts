/** Redis for the rate limiter: a server over ioredis, or Upstash over HTTP. */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { withTimeout } from '@/lib/kernel/runtime/timeout'

/** The methods that `@upstash/ratelimit` and the status page call. */
export interface RedisScripts {
  evalsha(sha: string, keys: string[], args: unknown[]): Promise<unknown>
  eval(script: string, keys: string[], args: unknown[]): Promise<unknown>
  ping(): Promise<unknown>
  close(): void
}

/** A limit check that takes longer has failed. */
const timeoutMs = 1_000

/** After so many failures in a row, nothing is sent for a while. Then one call tries again, and the others fail at once. */
const failuresMax = 3
const pauseMs = 5_000

/** The server has answered, with an error: a script that it does not know, for instance. */
const isAnswer = (error: unknown) =>
  error instanceof Error && (error.name === 'ReplyError' || error.name === 'UpstashError')

/** Nothing was sent, because Redis did not answer the calls before. */
export class SwitchedOffError extends Error {
  override name = 'SwitchedOffError'
}

/**
 * Returns a function that runs commands, but switches Redis off for a while after failures in a row. Otherwise each call would wait for its
 * time limit while Redis hangs. The pause is by the steady clock: after a wall clock that was set back, Redis would stay off for as long.
 */
function makeBreaker(): <T>(command: () => Promise<T>) => Promise<T> {
  let failures = 0
  let nextTry = 0
  function answered(): void {
    if (failures >= failuresMax) log().warn('Redis answers again')
    failures = 0
  }
  function failed(): void {
    failures += 1
    nextTry = performance.now() + pauseMs
    if (failures === failuresMax)
      log().warn('Redis does not answer: limits count in each process until it does')
  }
  return async (command) => {
    if (failures >= failuresMax) {
      if (performance.now() < nextTry) throw new SwitchedOffError()
      // The other callers do not wait for the caller that tries.
      nextTry = Number.POSITIVE_INFINITY
    }
    try {
      const result = await command()
      answered()
      return result
    } catch (error) {
      if (isAnswer(error)) answered()
      else failed()
      throw error
    }
  }
}

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
  const send = (command: (client: Redis) => Promise<unknown>) =>
    withTimeout(timeoutMs / 1000, opening.then(command))
  const guard = makeBreaker()
  const run = (command: (client: Redis) => Promise<unknown>) => guard(() => send(command))
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
    ping: () => send((client) => client.ping()),
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
  const guard = makeBreaker()
  return {
    evalsha: (sha, keys, args) => guard(async () => (await opening).evalsha(sha, keys, args)),
    eval: (script, keys, args) => guard(async () => (await opening).eval(script, keys, args)),
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
