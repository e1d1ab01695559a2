/** The clock of the service beside a machine whose clock is wrong or jumps. Node measures lengths of time with another clock, which stays right. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { realNow, setMachineClock } from '@/lib/fixtures/machine-clock.mjs'
import { ignoreMeasurements, isClockInDoubt, machineOffset, readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { database, db } from './client'
import { clockWarning, mayEndWork, measureClock, settleClock, watchClock } from './service-clock'

const day = 86_400
/** A database on a machine of its own, whose clock is ahead by so many seconds. */
const databaseAhead = (seconds: number) => ({
  embedded: null,
  tx: {
    rows: async <Row>() => [{ time: new Date(realNow() + seconds * 1000) }] as Row[],
  },
})
const right = databaseAhead(0)
const embedded = { embedded: {}, tx: right.tx }

/** How far the clock of the service is from the real time, in seconds. */
const wrongBy = () => Math.round((readClock().getTime() - realNow()) / 1000) || 0
const messages: string[] = []

beforeEach(() => {
  forget('clock.watch')
  ignoreMeasurements(false)
  messages.length = 0
  vi.spyOn(log(), 'warn').mockImplementation(
    (...given: unknown[]) => void messages.push(String(given.at(-1))),
  )
})
afterEach(() => {
  setMachineClock(0)
  ignoreMeasurements(true)
  forget('clock.watch')
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Lets time pass for both clocks of the machine. */
function pass(seconds: number): void {
  const started = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => started + seconds * 1000)
}

describe('the clock of the service', () => {
  it.each([day, -day, 400 * day])(
    'is the clock of the database when the machine is off by %d seconds',
    async (seconds) => {
      setMachineClock(seconds)
      await watchClock(right)
      expect(wrongBy()).toBe(0)
      expect(Math.round(machineOffset())).toBe(seconds)
      expect(mayEndWork(right)).toBe(true)
    },
  )

  it('is the clock of PostgreSQL, which a statement tells', async () => {
    setMachineClock(400 * day)
    await measureClock(db())
    expect(Math.abs(readClock().getTime() - realNow())).toBeLessThan(5_000)
  })

  it('stays the same when both clocks agree: a measurement alone moves nothing', async () => {
    await watchClock(right)
    expect(machineOffset()).toBeCloseTo(0, 2)
    for (let count = 0; count < 20; count++) {
      const before = readClock()
      await watchClock(right)
      expect(readClock().getTime()).toBeGreaterThanOrEqual(before.getTime())
    }
  })

  // security: host-8
  it('does not follow a clock of the machine that jumps, not even until the next measurement', async () => {
    await watchClock(right)
    for (const seconds of [90_000, -90_000, 400 * day]) {
      setMachineClock(seconds)
      expect(wrongBy()).toBe(0)
      expect(isClockInDoubt()).toBe(true)
      expect(mayEndWork(right)).toBe(false)
      await settleClock(() => right)
      expect(isClockInDoubt()).toBe(false)
      expect(wrongBy()).toBe(0)
    }
  })

  it('is measured again before a call when the steady clock has gone on without measurements, as after a sleep', async () => {
    await watchClock(right)
    expect(settleClock(() => right)).toBeNull()
    pass(day)
    expect(wrongBy()).toBe(day)
    await settleClock(() => right)
    expect(wrongBy()).toBe(0)
  })

  it('goes on from the last measurement while the database does not answer, and lets only one call wait for it', async () => {
    const away = { embedded: null, tx: { rows: () => Promise.reject(new Error('away')) } }
    await watchClock(right)
    setMachineClock(day)
    await settleClock(() => away)
    expect(wrongBy()).toBe(0)
    expect(mayEndWork(away)).toBe(false)
    expect(settleClock(() => away)).toBeNull()
    expect(messages).toEqual([expect.stringContaining('The clock of the database could not be measured.')])
  })
})

describe('work that ends something', () => {
  it('waits when two measurements differ by more than a minute, until two agree', async () => {
    await watchClock(right)
    await watchClock(databaseAhead(50))
    expect(mayEndWork(right)).toBe(true)
    await watchClock(databaseAhead(120))
    expect(mayEndWork(right)).toBe(false)
    await watchClock(databaseAhead(240))
    expect(mayEndWork(right)).toBe(false)
    await watchClock(databaseAhead(240))
    expect(mayEndWork(right)).toBe(true)
    expect(messages.filter((text) => text.includes('Two measurements'))).toEqual([
      expect.stringContaining('differ by 70 seconds. Until two agree, this instance ends nothing by time'),
      expect.stringContaining('differ by 2 minutes'),
      'Two measurements of the clock of the database agree again.',
    ])
  })

  it('waits ten minutes when the clock of the database has jumped by more than an hour', async () => {
    await watchClock(right)
    for (const seconds of [2 * 3600, 2 * 3600]) await watchClock(databaseAhead(seconds))
    expect(wrongBy()).toBe(7200)
    expect(mayEndWork(right)).toBe(false)
    pass(500)
    await watchClock(databaseAhead(7200 + 500))
    await watchClock(databaseAhead(7200 + 500))
    expect(mayEndWork(right)).toBe(false)
  })

  it.each([
    [3700, 'forward by 3700 seconds'],
    [-day, 'back by 24 hours'],
  ])(
    'waits ten minutes with the embedded database when the clock jumps by %d seconds',
    async (seconds, words) => {
      await watchClock(embedded)
      setMachineClock(3500)
      expect(mayEndWork(embedded)).toBe(true)
      setMachineClock(0)
      expect(mayEndWork(embedded)).toBe(true)
      setMachineClock(seconds)
      expect(wrongBy()).toBe(seconds)
      expect(mayEndWork(embedded)).toBe(false)
      expect(messages).toEqual([expect.stringContaining(`The clock has jumped ${words}`)])
      const passed = vi.spyOn(performance, 'now')
      const started = performance.now()
      const at = (later: number) => {
        passed.mockImplementation(() => started + later * 1000)
        setMachineClock(seconds + later)
      }
      at(590)
      expect(mayEndWork(embedded)).toBe(false)
      at(610)
      expect(mayEndWork(embedded)).toBe(true)
    },
  )
})

describe('a test service on a laptop that slept', () => {
  it('ends what is over at once, because its tests move the clock', async () => {
    const state = singleton('test-service', () => ({ isTest: false }))
    onTestFinished(() => {
      state.isTest = false
    })
    await watchClock(embedded)
    setMachineClock(day)
    expect(mayEndWork(embedded)).toBe(false)
    state.isTest = true
    expect(mayEndWork(embedded)).toBe(true)
  })
})

describe('the clock of the machine', () => {
  it('gets a warning that says what to do when it is wrong', () => {
    expect([0, 5, -5].map(clockWarning)).toEqual([null, null, null])
    expect(clockWarning(-3600)).toMatch(/ is 1 hour behind the clock of the database\. .* with NTP/)
    expect(clockWarning(30)).toContain(' is 30 seconds ahead of the clock')
  })

  it('is logged once when it begins to be wrong, and once when it is right again', async () => {
    await watchClock(right)
    expect(messages).toEqual([])
    setMachineClock(-50)
    await watchClock(right)
    await watchClock(right)
    expect(messages).toEqual([expect.stringContaining('50 seconds behind')])
    setMachineClock(0)
    await watchClock(right)
    expect(messages.slice(1)).toEqual(['The clock of this machine is right again.'])
  })

  it('is what a process follows whose measurements do not count', async () => {
    ignoreMeasurements(true)
    await watchClock(right)
    setMachineClock(day)
    expect(wrongBy()).toBe(day)
    expect(mayEndWork(database())).toBe(true)
  })
})
