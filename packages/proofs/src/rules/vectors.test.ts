import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type JudgedRequest, judge, judgePart } from './judge'
import { exactMoneyText, readMoney } from './money'
import { periodOf } from './period'
import { type Period, Rule } from './rule'

interface JudgeVector extends Omit<JudgedRequest, 'params'> {
  about: string
  rule: Rule
  /** JSON. */
  params: string
  fits: boolean
}

const vectors = JSON.parse(
  readFileSync(join(process.cwd(), 'docs', 'receipts', 'vectors', 'rules.json'), 'utf8'),
) as {
  judge: JudgeVector[]
  forms: { about: string; rule: string; is_valid: boolean }[]
  periods: { per: Period; time_zone: string; time: string; period: string }[]
}

const requestOf = ({ requester, action, scope, params }: JudgeVector): JudgedRequest => ({
  requester,
  action,
  scope,
  params: JSON.parse(params) as JudgedRequest['params'],
})

/** Returns an object with some of the members of another one. */
const some = (params: object, isKept: (index: number) => boolean) =>
  Object.fromEntries(Object.entries(params).filter((_, index) => isKept(index)))

describe('the judge of rules', () => {
  // security: agent-6
  it('answers as the vectors say', () => {
    expect(vectors.judge.length).toBeGreaterThan(400)
    for (const vector of vectors.judge) {
      const { about, rule, requester, action, scope, params, ...expected } = vector
      expect([about, params, judge(rule, requestOf(vector))]).toEqual([about, params, expected])
    }
  })

  it('never contradicts a request that fits, whichever of its params are hidden', () => {
    const fitting = vectors.judge.filter(({ fits }) => fits)
    expect(fitting.length).toBeGreaterThan(100)
    for (const vector of fitting) {
      const request = requestOf(vector)
      const count = Object.keys(request.params).length
      const whole = judge(vector.rule, request)
      for (let mask = 0; mask < 2 ** count; mask++) {
        const params = some(request.params, (index) => (mask & (1 << index)) !== 0)
        const part = judgePart(vector.rule, { ...request, params }, count - Object.keys(params).length)
        expect([vector.about, params, part.fits]).toEqual([vector.about, params, true])
        const least = part.fits ? (part.cost?.minor ?? 0) : 0
        expect(least).toBeLessThanOrEqual(whole.fits ? (whole.cost?.minor ?? 0) : 0)
      }
    }
  })

  it('answers within a moment to values that nobody would send', () => {
    const { rule, requester, action, scope } = vectors.judge[0] as JudgeVector
    const long = [
      '/a'.repeat(100_000),
      '0'.repeat(200_000),
      `${'a.'.repeat(100_000)}com`,
      '€'.repeat(100_000),
    ]
    const constraints: Rule['params'][string][] = [
      { path_below: '/a' },
      { domain: 'example.com' },
      { at_most: '€5' },
      { at_most: '2026-01-01' },
      { any: true },
    ]
    const start = performance.now()
    for (const value of long)
      for (const constraint of constraints)
        judge({ ...rule, params: { v: constraint } }, { requester, action, scope, params: { v: value } })
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('the form of a rule', () => {
  it('is valid exactly as the vectors say', () => {
    expect(vectors.forms.length).toBeGreaterThan(100)
    for (const { about, rule, is_valid } of vectors.forms)
      expect([about, Rule.safeParse(JSON.parse(rule)).success]).toEqual([about, is_valid])
  })

  it('is that of every rule that the vectors judge', () => {
    for (const { about, rule } of vectors.judge)
      expect([about, Rule.safeParse(rule).success]).toEqual([about, true])
  })
})

describe('the periods of a budget', () => {
  it('begin at midnight in the time zone, also on days on which clocks change', () => {
    for (const { per, time_zone, time, period } of vectors.periods)
      expect([time_zone, time, periodOf(per, time_zone, new Date(time))]).toEqual([time_zone, time, period])
  })

  it('are 365 days, 53 weeks and 12 months in a year, and never return to an earlier one', () => {
    for (const zone of ['Europe/Berlin', 'America/Santiago', 'Pacific/Kiritimati', 'Australia/Lord_Howe']) {
      const names: Record<Period, string[]> = { day: [], week: [], month: [] }
      const start = Date.UTC(2026, 0, 1, 12)
      for (let hour = 0; hour < 365 * 24; hour++) {
        const time = new Date(start + hour * 3_600_000)
        for (const per of ['day', 'week', 'month'] as const) names[per].push(periodOf(per, zone, time))
      }
      for (const list of Object.values(names)) expect(list).toEqual([...list].sort())
      expect(new Set(names.day).size).toBeGreaterThanOrEqual(365)
    }
  })
})

describe('exact amounts', () => {
  it('are read again from their text', () => {
    for (const currency of ['EUR', 'USD', 'JPY', 'KWD', 'CHF'])
      for (const minor of [0, 1, 5, 10, 99, 100, 999, 1000, 123_456, 100_000_000]) {
        const text = exactMoneyText({ minor, currency })
        const isReadable = currency !== 'KWD' || minor % 10 === 0
        expect([text, readMoney(text)]).toEqual([text, isReadable ? { minor, currency } : null])
      }
  })
})
