import { describe, expect, it } from 'vitest'
import {
  barsWords,
  dayRuns,
  dayWords,
  type Incident,
  lengthWords,
  overallWords,
  percent,
  shownCondition,
  troubleWords,
  uptimeWords,
} from './words'

const day = { day: '2026-11-22', outage_seconds: 0, degraded_seconds: 0, measured_seconds: 86_400 }

describe('a database whose disk is full', () => {
  it('says that pages can be read, and that nothing can be changed', () => {
    const full = { name: 'database', status: 'outage', reason: 'disk_full' } as const
    const { title, text } = overallWords('outage', [full])
    expect(title).toBe('Nothing can be changed')
    expect(text).toMatch(/disk of the database is full. You can read everything/)
    expect(troubleWords(full)).toBe(text)
    expect(overallWords('outage', [{ name: 'database', status: 'outage' }]).title).toBe('Beak is down')
  })
})

describe('the history in words', () => {
  it('says how long a part was down or delayed', () => {
    expect(dayWords({ ...day, condition: 'outage', outage_seconds: 720, degraded_seconds: 9 })).toBe(
      'Down for 12 minutes',
    )
    expect(dayWords({ ...day, condition: 'degraded', degraded_seconds: 30 })).toBe(
      'Delayed for under a minute',
    )
    expect(dayWords({ ...day, condition: 'no_data' })).toBe('No data')
  })

  it.each([
    [60, '1 minute'],
    [7_199, '119 minutes'],
    [7_200, '2 hours'],
    [172_799, '47 hours'],
    [172_800, '2 days'],
  ])('says %d seconds as %s', (seconds, text) => expect(lengthWords(seconds)).toBe(text))

  it('claims no uptime for less than a day, nor for days before the first', () => {
    const history = (measured_seconds: number) => ({
      name: 'database' as const,
      uptime: 0.977,
      days: [
        { ...day, condition: 'no_data' as const, measured_seconds: 0 },
        { ...day, condition: 'operational' as const, measured_seconds },
      ],
    })
    expect(uptimeWords(history(0), null)).toBe('No data yet')
    expect(uptimeWords(history(1200), '2026-11-23')).toBe('Measured for less than a day')
    expect(uptimeWords(history(86_400), '2026-11-23')).toBe('97.7% uptime since 23 November 2026')
    expect(uptimeWords(history(86_400), '2026-11-22')).toBe('97.7% uptime')
  })

  it('rounds the uptime down', () => {
    expect([1, 0.999_99, 0.5, 0].map(percent)).toEqual(['100%', '99.99%', '50%', '0%'])
  })

  it('merges equal consecutive days, the newest first', () => {
    const history = (name: 'database' | 'outbox', conditions: ('operational' | 'no_data')[]) => ({
      name,
      uptime: 1,
      days: conditions.map((condition, at) => ({ ...day, day: `2026-11-2${at}`, condition })),
    })
    const [works, none] = ['operational', 'no_data'] as const
    const components = [
      history('database', [none, none, works, works]),
      history('outbox', [none, none, none, works]),
    ]
    expect(dayRuns(components)).toEqual([
      { first: '2026-11-23', last: '2026-11-23', start: 3, count: 1, words: ['Works', 'Works'] },
      { first: '2026-11-22', last: '2026-11-22', start: 2, count: 1, words: ['Works', 'No data'] },
      { first: '2026-11-20', last: '2026-11-21', start: 0, count: 2, words: ['No data', 'No data'] },
    ])
    expect(dayRuns([])).toEqual([])
  })

  it('counts the days of each kind', () => {
    const days = (['operational', 'operational', 'outage', 'no_data'] as const).map((condition) => ({
      ...day,
      condition,
    }))
    expect(barsWords({ name: 'outbox', uptime: 1, days })).toBe(
      'The last 4 days: 2 days without problems, 1 day with an outage, 1 day without data.',
    )
  })
})

describe('a condition that the operator reports', () => {
  const incident = (component: Incident['component'], condition: Incident['condition']): Incident => ({
    incident_id: 'INC-1',
    component,
    condition,
    source: 'operator',
    started_at: '2026-11-22T00:00:00.000Z',
    ended_at: null,
    note: 'Mails arrive late.',
  })

  it('is shown for its part and for the whole service, not for other parts', () => {
    const reported = [incident('outbox', 'outage')]
    expect(shownCondition('operational', reported, 'outbox')).toBe('outage')
    expect(shownCondition('operational', reported, null)).toBe('degraded')
    expect(shownCondition('operational', reported, 'database')).toBe('operational')
  })

  it('of the whole service is shown for every part', () => {
    expect(shownCondition('operational', [incident(null, 'degraded')], 'database')).toBe('degraded')
  })

  it('never hides a worse one that was measured', () => {
    expect(shownCondition('outage', [incident(null, 'degraded')], 'database')).toBe('outage')
  })
})
