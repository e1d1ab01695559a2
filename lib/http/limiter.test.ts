import { createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { connectRedis } from '@/lib/db/redis'
import { config, useConfig } from '@/lib/kernel/config'
import { defaultLimits, type LimitGroup, limitGroups, type Rate } from '@/lib/kernel/config/limits'
import { Failure } from '@/lib/kernel/request/failures'
import { forget } from '@/lib/kernel/runtime/singleton'
import { memoryBuckets, takeToken } from './limiter'

/** Returns a bucket with a clock that the test moves. */
function aBucket(rate: Rate) {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const takeFrom = memoryBuckets(rate)
  return {
    take(key = 'somebody', tokens?: number) {
      const { success, remaining, wait } = takeFrom(key, time, tokens)
      return { success, remaining, retryAfter: Math.ceil(wait / 1000), reset: wait }
    },
    wait(milliseconds: number) {
      time += milliseconds
    },
  }
}

/** Configures a Redis that does not answer. By default, nothing listens on its port. */
function useNoRedis(port = 1): void {
  useConfig({ redis: { url: `redis://127.0.0.1:${port}` } })
  forget('redis')
  forget('limiters')
}

/** Takes tokens until one is refused, and returns how many were allowed. */
function drain({ take }: ReturnType<typeof aBucket>, key?: string): number {
  let passed = 0
  while (take(key).success) passed++
  return passed
}

describe('several tokens', () => {
  it('are taken all or not at all, and the refusal says when there are as many', () => {
    const bucket = aBucket({ perMinute: 600, burst: 300 })
    expect(bucket.take('me', 290)).toMatchObject({ success: true, remaining: 10 })
    expect(bucket.take('me', 25)).toEqual({ success: false, remaining: 10, retryAfter: 2, reset: 1_500 })
    expect(bucket.take('me', 10)).toMatchObject({ success: true, remaining: 0 })
    bucket.wait(2_499)
    expect(bucket.take('me', 25)).toMatchObject({ success: false })
    bucket.wait(1)
    expect(bucket.take('me', 25)).toMatchObject({ success: true, remaining: 0 })
  })

  it('are no more than the bucket holds beside the first, so that what costs more is possible', () => {
    const rate = { perMinute: 60, burst: 10 }
    const key = 'several tokens of a small bucket'
    expect(takeToken('authenticated', key, rate)).toMatchObject({ success: true, remaining: 9 })
    expect(takeToken('authenticated', key, rate, 40)).toMatchObject({ success: true, remaining: 0 })
    expect(takeToken('authenticated', key, rate)).toMatchObject({ success: false })
  })
})

describe.each(limitGroups.map((group) => [group, defaultLimits[group]] as const))('%s', (_group, rate) => {
  const interval = 60_000 / rate.perMinute

  it('allows exactly the burst at once, and counts the remaining tokens down to 0', () => {
    const bucket = aBucket(rate)
    for (let left = rate.burst - 1; left >= 0; left--) {
      expect(bucket.take()).toMatchObject({ success: true, remaining: left })
    }
    expect(bucket.take()).toMatchObject({ success: false, remaining: 0 })
  })

  it('allows the next request after the reset time, and not one millisecond earlier', () => {
    const bucket = aBucket(rate)
    drain(bucket)
    const { retryAfter, reset } = bucket.take()
    expect(retryAfter).toBe(Math.ceil(interval / 1000))
    bucket.wait(reset - 1)
    expect(bucket.take().success).toBe(false)
    bucket.wait(1)
    expect(bucket.take().success).toBe(true)
    expect(bucket.take().success).toBe(false)
  })

  it('refills the limit of a minute in a minute, and never holds more than the burst', () => {
    const bucket = aBucket(rate)
    drain(bucket)
    bucket.wait(60_000)
    expect(drain(bucket)).toBe(Math.min(rate.perMinute, rate.burst))
    bucket.wait(3_600_000)
    expect(drain(bucket)).toBe(rate.burst)
  })

  it('never refuses a client that keeps to the limit', () => {
    const bucket = aBucket(rate)
    drain(bucket)
    for (let count = 1; count <= 300; count++) {
      bucket.wait(Math.ceil(interval))
      expect(bucket.take().success).toBe(true)
    }
  })
})

describe('any limit', () => {
  const anyRate = fc.record({
    perMinute: fc.integer({ min: 1, max: 100_000 }),
    burst: fc.integer({ min: 1, max: 50 }),
  })
  const waits = fc.array(
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 100_000 })),
    {
      maxLength: 80,
    },
  )

  it('allows at most the burst and the refilled tokens, with any pauses between requests', () => {
    fc.assert(
      fc.property(anyRate, waits, (rate, pauses) => {
        const bucket = aBucket(rate)
        let passed = 0
        let waited = 0
        for (const pause of pauses) {
          bucket.wait(pause)
          waited += pause
          if (bucket.take().success) passed++
          expect(passed).toBeLessThanOrEqual(rate.burst + (waited * rate.perMinute) / 60_000 + 0.01)
        }
      }),
    )
  })

  it('allows a request after the reset time, after any earlier requests', () => {
    fc.assert(
      fc.property(anyRate, waits, (rate, pauses) => {
        const bucket = aBucket(rate)
        for (const pause of pauses) {
          bucket.wait(pause)
          bucket.take()
        }
        drain(bucket)
        const { reset } = bucket.take()
        bucket.wait(reset)
        expect(bucket.take().success).toBe(true)
      }),
    )
  })

  it('counts each key separately', () => {
    const bucket = aBucket({ perMinute: 1, burst: 3 })
    expect(drain(bucket, 'one')).toBe(3)
    expect(drain(bucket, 'other')).toBe(3)
  })

  it('keeps the bucket of a key that is used while many other keys become idle', () => {
    const bucket = aBucket({ perMinute: 1, burst: 2 })
    expect(drain(bucket)).toBe(2)
    for (let count = 0; count < 40; count++) {
      bucket.wait(15_000)
      bucket.take(`key ${count}`)
      // One token a minute: every fourth request.
      expect(bucket.take().success).toBe(count % 4 === 3)
    }
  })

  it('adds no token when the clock goes backwards', () => {
    const bucket = aBucket({ perMinute: 1, burst: 3 })
    drain(bucket)
    bucket.wait(-3_600_000)
    expect(bucket.take()).toMatchObject({ success: false, remaining: 0 })
  })

  it('deletes the least recently used bucket when there are too many', () => {
    const bucket = aBucket({ perMinute: 1, burst: 2 })
    drain(bucket, 'first')
    for (let count = 0; count < 99_999; count++) bucket.take(`key ${count}`)
    expect(bucket.take('first').success).toBe(false)
    for (let count = 0; count < 100_000; count++) bucket.take(`other ${count}`)
    expect(bucket.take('first').success).toBe(true)
  })
})

describe('while Redis does not answer', () => {
  const before = config()
  afterEach(() => {
    connectRedis()?.close()
    useConfig(before)
    forget('redis')
    forget('limiters')
  })

  // security: stranger-14
  it.each(['signup', 'signin', 'otp'] as const)(
    'refuses %s, because guesses would not be counted',
    async (group) => {
      useNoRedis()
      const failure = await Promise.resolve(takeToken(group, 'away', null)).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Failure)
      expect(failure).toMatchObject({ failure: 'unavailable', extras: { retry_after: expect.any(Number) } })
    },
  )

  const open = limitGroups.filter((group) => !['signup', 'signin', 'otp'].includes(group))
  it.each(open)('limits %s in this process', async (group: LimitGroup) => {
    useNoRedis()
    const key = `away ${Math.random()}`
    const rate = { perMinute: 1, burst: 2 }
    const outcomes = []
    for (let count = 0; count < 3; count++) outcomes.push((await takeToken(group, key, rate)).success)
    expect(outcomes).toEqual([true, true, false])
  })

  it('delays only the first request when Redis accepts connections and does not reply', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    useNoRedis((server.address() as { port: number }).port)
    const started = performance.now()
    expect((await takeToken('metrics', 'mute', null)).success).toBe(true)
    for (let count = 0; count < 50; count++) await takeToken('metrics', 'mute', null)
    await expect(takeToken('signin', 'mute', null)).rejects.toMatchObject({ failure: 'unavailable' })
    expect(performance.now() - started).toBeLessThan(2_500)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
})
