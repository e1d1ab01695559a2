/** Redis for the rate limiter: a server over ioredis, or Upstash over HTTP. */
import { createHash } from 'node:crypto'
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
} from 'cockatiel'
import type { Redis } from 'ioredis'
import { config } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
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

/** After so many failures in a row, nothing is sent for a while. Then one call tries again, and the others fail at once. */
const failuresMax = 3
const pauseMs = 5_000

/**
 * The pause after the failures, by the steady clock. The library compares it with the time that has passed by the wall clock: one that was set
 * back would keep Redis switched off for as long.
 */
function steadyPause(): IBackoff<unknown> {
  const end = performance.now() + pauseMs
  return {
    get duration() {
      return performance.now() < end ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
    },
    next: steadyPause,
  }
}

/** The server has answered, with an error: a script that it does not know, for instance. */
const isAnswer = ({ name }: Error) => name === 'ReplyError' || name === 'UpstashError'

/**
 * Returns a function that runs commands through a circuit breaker. Without it, each call would wait for its time limit while Redis hangs.
 */
function makeBreaker(): <T>(command: () => Promise<T>) => Promise<T> {
  const breaker = circuitBreaker(
    handleWhen((error) => !isAnswer(error)),
    { halfOpenAfter: { next: steadyPause }, breaker: new ConsecutiveBreaker(failuresMax) },
  )
  breaker.onBreak(() => log().warn('Redis does not answer: limits count in each process until it does'))
  breaker.onReset(() => log().warn('Redis answers again'))
  return async (command) => {
    // The library lets the others wait for the one that tries.
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return breaker.execute(command)
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
