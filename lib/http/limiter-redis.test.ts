/** The limiter with a real Redis. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { connectRedis, type RedisScripts } from '@/lib/db/redis'
import { measureClock } from '@/lib/db/service-clock'
import { randomAddress } from '@/lib/factories/ducklings'
import { setMachineClock } from '@/lib/fixtures/machine-clock.mjs'
import { describeWithRedis, redisUrl } from '@/lib/fixtures/source-files'
import { config, useConfig } from '@/lib/kernel/config'
import { defaultLimits, limitGroups } from '@/lib/kernel/config/limits'
import { ignoreMeasurements } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { makeLimiter, takeToken } from './limiter'

const url = redisUrl ?? ''

describeWithRedis('with Redis', () => {
  const before = config()
  let redis: RedisScripts

  beforeAll(() => {
    useConfig({ redis: { url } })
    forget('redis')
    forget('limiters')
    const connected = connectRedis()
    if (connected === null) throw new Error('no Redis')
    redis = connected
  })
  afterEach(() => void vi.useRealTimers())
  afterAll(() => {
    redis.close()
    useConfig(before)
    forget('redis')
    forget('limiters')
  })

  /** Stops the clock, whose time the library passes to its script, so that no tokens are refilled during the test. */
  function stopClock(): { wait(seconds: number): void } {
    vi.useFakeTimers({ toFake: ['Date'] })
    return { wait: (seconds) => void vi.setSystemTime(Date.now() + seconds * 1000) }
  }

  it('takes several tokens, all or none, and one more after Retry-After', async () => {
    const { wait } = stopClock()
    const [key, rate] = [randomUUID(), { perMinute: 60, burst: 30 }]
    expect(await takeToken('authenticated', key, rate, 25)).toMatchObject({ success: true, remaining: 5 })
    const refused = await takeToken('authenticated', key, rate, 10)
    expect(refused).toMatchObject({ success: false, retryAfter: 10 })
    expect(await takeToken('authenticated', key, rate, 5)).toMatchObject({ success: true, remaining: 0 })
    wait(refused.retryAfter)
    expect(await takeToken('authenticated', key, rate, 10)).toMatchObject({ success: true, remaining: 0 })
  })

  it.each(limitGroups.filter((group) => defaultLimits[group].burst <= 300))(
    '%s: allows the burst, then the next request after Retry-After and not earlier',
    async (group) => {
      const { wait } = stopClock()
      const rate = defaultLimits[group]
      const key = randomUUID()
      for (let left = rate.burst - 1; left >= 0; left--)
        expect(await takeToken(group, key, null)).toMatchObject({ success: true, remaining: left })
      // The count must be in Redis, not in this process.
      forget('limiters')
      const refused = await takeToken(group, key, null)
      expect(refused).toMatchObject({ success: false, remaining: 0 })
      expect(refused.retryAfter).toBe(Math.ceil(60 / rate.perMinute))
      wait(refused.retryAfter - 1)
      expect((await takeToken(group, key, null)).success).toBe(false)
      wait(1)
      expect((await takeToken(group, key, null)).success).toBe(true)
    },
  )

  it('refills the limit of a minute in a minute, also above one token a millisecond', async () => {
    const { wait } = stopClock()
    for (const perMinute of [7, 500, 6_000, 90_000]) {
      const key = randomUUID()
      const rate = { perMinute, burst: 20 }
      const passed = async () => {
        let count = 0
        while ((await takeToken('authenticated', key, rate)).success) count++
        return count
      }
      const expectTokens = async (wanted: number) => {
        const started = performance.now()
        const count = await passed()
        // Redis deletes a full bucket by its own clock, which this test does not stop. The millisecond is its rounding.
        const refilled = Math.floor(((performance.now() - started + 1) * perMinute) / 60_000)
        expect(count).toBeGreaterThanOrEqual(wanted)
        expect(count).toBeLessThanOrEqual(wanted + refilled)
      }
      await expectTokens(20)
      wait(60)
      await expectTokens(Math.min(perMinute, 20))
      wait(Math.max(6 * (60 / perMinute), 0.1))
      expect(await passed()).toBeGreaterThanOrEqual(5)
    }
  })

  it('counts with the clock of the service: a machine a year ahead leaves the buckets of others alone', async () => {
    const rate = { perMinute: 60, burst: 2 }
    const key = randomUUID()
    const times: unknown[] = []
    const seen = (args: unknown[]) => {
      times.push(args[3])
      return args
    }
    const spied: RedisScripts = {
      ...redis,
      evalsha: (sha, keys, args) => redis.evalsha(sha, keys, seen(args)),
      eval: (script, keys, args) => redis.eval(script, keys, seen(args)),
    }
    ignoreMeasurements(false)
    await measureClock(db())
    setMachineClock(365 * 86_400)
    for (let count = 0; count < 2; count++)
      expect((await makeLimiter('anonymous', rate, spied).limit(key)).success).toBe(true)
    setMachineClock(0)
    ignoreMeasurements(true)
    for (const time of times) expect(Math.abs(Number(time) - Date.now())).toBeLessThan(60_000)
    stopClock().wait(61)
    expect(await makeLimiter('anonymous', rate, redis).limit(key)).toMatchObject({ success: true })
  })

  it('sends the script at most once, then its digest', async () => {
    let sent = 0
    const limiter = makeLimiter(
      'anonymous',
      { perMinute: 60, burst: 5 },
      {
        ...redis,
        eval: (...given) => {
          sent++
          return redis.eval(...given)
        },
      },
    )
    for (let count = 0; count < 5; count++)
      expect((await limiter.limit(`named:${randomUUID()}`)).success).toBe(true)
    expect(sent).toBeLessThanOrEqual(1)
  })

  // security: stranger-12
  it('never gives one token to two simultaneous requests', async () => {
    const key = randomUUID()
    const rate = { perMinute: 1, burst: 10 }
    const taken = await Promise.all(Array.from({ length: 50 }, () => takeToken('authenticated', key, rate)))
    expect(taken.filter(({ success }) => success)).toHaveLength(10)
  })

  it('shares one bucket between two processes', async () => {
    const key = randomUUID()
    const program = `
      import { connectRedis } from '@/lib/db/redis'
      import { takeToken } from '@/lib/http/limiter'
      // The clock stands still, so no token is refilled, however long the processes take.
      Date.now = () => ${Date.now()}
      // A busy machine may need longer to load the client and to connect than a limit check may take.
      while (!(await connectRedis().ping().then(() => true, () => false)));
      let passed = 0
      for (let count = 0; count < 15; count++)
        if ((await takeToken('signup', '${key}', null)).success) passed++
      process.stdout.write('passed ' + passed)
      process.exit(0)`
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'test' as const,
      REDIS_URL: url,
      LIMIT_SIGNUP: '1/20',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'beak-limit-')),
    }
    const run = () =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
        env,
      })
    const outputs = await Promise.all([run(), run()])
    const passed = outputs.map(({ stdout }) => Number(/passed (\d+)/.exec(stdout)?.[1]))
    expect(passed[0]).toBeGreaterThan(0)
    expect(passed[1]).toBeGreaterThan(0)
    expect((passed[0] ?? 0) + (passed[1] ?? 0)).toBe(20)
  })

  it('answers 429 at the API when an address has no token left', async () => {
    const from = randomAddress()
    const statuses = []
    for (let count = 0; count < 3; count++)
      statuses.push((await call('POST /beak/support/contact', { from, body: {} })).status)
    expect(statuses).toEqual([400, 400, 429])
  })

  it('is listed as a component in the system status', async () => {
    const { body } = await call('GET /beak/system/status')
    expect(body.components).toContainEqual({ name: 'redis', status: 'operational' })
  })
})
