import { afterEach, describe, expect, it, vi } from 'vitest'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { log } from '@/lib/kernel/log'
import { clockSkew, clockWarning, watchClock } from './clock-skew'

const configured = config()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  replaceConfig(configured)
})

/** Sets the clock of this process so many seconds ahead. */
const setAhead = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })

describe('the clock of this machine', () => {
  it('is compared with the clock of the database', async () => {
    expect(Math.abs(await clockSkew())).toBeLessThan(5)
    setAhead(-3600)
    expect(Math.round((await clockSkew()) / 60)).toBe(60)
    vi.useRealTimers()
    setAhead(90)
    expect(Math.round((await clockSkew()) / 10)).toBe(-9)
  })

  it('gets a warning that says what to do when it is wrong', () => {
    expect([0, 5, -5].map(clockWarning)).toEqual([null, null, null])
    expect(clockWarning(3600)).toMatch(/ is 1 hour behind the clock of the database\. Set it with NTP/)
    expect(clockWarning(-30)).toContain(' is 30 seconds ahead of the clock')
  })

  it('is logged once when it begins to be wrong, and once when it is right again', async () => {
    replaceConfig({ databaseUrl: 'postgresql://localhost/beak' })
    const warn = vi.spyOn(log(), 'warn').mockImplementation(() => undefined)
    await watchClock()
    expect(warn).not.toHaveBeenCalled()
    setAhead(-600)
    await watchClock()
    await watchClock()
    expect(warn.mock.calls).toEqual([[expect.stringContaining('10 minutes behind')]])
    vi.useRealTimers()
    await watchClock()
    expect(warn.mock.calls.slice(1)).toEqual([['The clock of this machine is right again.']])
  })
})
