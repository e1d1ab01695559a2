import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connectRedis } from '@/lib/db/redis'
import { startInstance } from '@/lib/fixtures/bundle'
import { describeWithRedis, redisUrl } from '@/lib/fixtures/source-files'
import { config, useConfig } from '@/lib/kernel/config'
import { forget } from '@/lib/kernel/runtime/singleton'
import { changePlaceInRedis, inPlace, type PlaceChange, placesMax } from './places'

/** A heavy call that runs until the test ends it. */
function aCall(account: string) {
  let end: () => void = () => undefined
  const running = new Promise<void>((resolve) => {
    end = resolve
  })
  const state = { hasBegun: false, end }
  const answer = inPlace(account, () => {
    state.hasBegun = true
    return running
  })
  const failure = answer.then(
    () => null,
    (error: unknown) => error,
  )
  return Object.assign(state, { answer, failure })
}

const refused = expect.objectContaining({ failure: 'rate_limited', extras: { retry_after: 2 } })
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

describe('the places of an account', () => {
  it('are two, and the next call begins when one of them ends', async () => {
    const calls = Array.from({ length: 3 }, () => aCall('DUCK-THREE'))
    await turns()
    expect(calls.map(({ hasBegun }) => hasBegun)).toEqual([true, true, false])
    calls[0]?.end()
    await turns()
    expect(calls[2]?.hasBegun).toBe(true)
    for (const { end } of calls) end()
    expect(await Promise.all(calls.map(({ failure }) => failure))).toEqual([null, null, null])
  })

  it('are free again after a call that fails', async () => {
    const fails = () => inPlace('DUCK-FAILS', () => Promise.reject(new Error('it failed')))
    for (let count = 0; count < 3; count++) await expect(fails()).rejects.toThrow('it failed')
  })

  // security: stranger-13
  it('are waited for by four calls, and all further ones are refused at once', async () => {
    const calls = Array.from({ length: 40 }, () => aCall('DUCK-FORTY'))
    const refusals = await Promise.all(calls.slice(6).map(({ failure }) => failure))
    expect(refusals).toEqual(Array.from({ length: 34 }, () => refused))
    for (const { end } of calls) end()
    expect(await Promise.all(calls.slice(0, 6).map(({ failure }) => failure))).toEqual(Array(6).fill(null))
  })

  it('are two over all processes of an instance', async () => {
    const { child } = startInstance('lib/fixtures/heavy-processes.ts')
    const lines: string[] = []
    child.stdout.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')))
    await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(4)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(lines.toSorted()).toEqual(['begun', 'begun', 'rate_limited', 'rate_limited'])
  }, 60_000)

  it('say nothing about those of another account', async () => {
    const calls = Array.from({ length: 2 }, () => aCall('DUCK-FULL'))
    expect(await inPlace('DUCK-OTHER', () => 'answered')).toBe('answered')
    for (const { end } of calls) end()
    await Promise.all(calls.map(({ answer }) => answer))
  })

  it('are waited for no longer than two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const calls = Array.from({ length: 3 }, () => aCall('DUCK-LONG'))
    await vi.advanceTimersByTimeAsync(1_900)
    calls[0]?.end()
    await vi.advanceTimersByTimeAsync(200)
    expect(calls[2]?.hasBegun).toBe(true)
    const late = aCall('DUCK-LONG')
    await vi.advanceTimersByTimeAsync(2_100)
    expect(await late.failure).toEqual(refused)
    vi.useRealTimers()
    for (const { end } of calls) end()
  })
})

describeWithRedis('with Redis, the places of an account', () => {
  const before = config()
  afterEach(() => {
    connectRedis()?.close()
    useConfig(before)
    forget('redis')
  })

  // security: stranger-13
  it('hold over all instances', async () => {
    useConfig({ redis: { url: redisUrl ?? '' } })
    forget('redis')
    const redis = connectRedis()
    if (redis === null) throw new Error('no Redis')
    const account = `DUCK-${randomUUID()}`
    const elsewhere = (isEnd: boolean): PlaceChange => ({ account, lease: 'of another instance', isEnd })
    expect(await changePlaceInRedis(redis, elsewhere(false))).toBe(true)
    const [first, second] = [aCall(account), aCall(account)] as const
    await expect.poll(() => [first, second].filter(({ hasBegun }) => hasBegun).length).toBe(placesMax - 1)
    await changePlaceInRedis(redis, elsewhere(true))
    await expect.poll(() => first.hasBegun && second.hasBegun).toBe(true)
    for (const { end } of [first, second]) end()
    expect(await Promise.all([first.failure, second.failure])).toEqual([null, null])
    expect(await changePlaceInRedis(redis, elsewhere(false))).toBe(true)
  })
})
