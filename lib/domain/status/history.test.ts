import { describe, expect, it } from 'vitest'
import { componentHistory, type IncidentSpan } from './history'
import type { ComponentName } from './schema'

const now = new Date('2026-11-22T12:00:00Z')
const day = 86_400

function incident(
  component: IncidentSpan['component'],
  condition: IncidentSpan['condition'],
  startedAt: string,
  endedAt: string | null,
): IncidentSpan {
  return {
    component,
    condition,
    startedAt: new Date(startedAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  }
}

function historyOf(
  incidents: IncidentSpan[],
  { samples = {}, name = 'outbox' }: { samples?: Record<string, number>; name?: ComponentName } = {},
) {
  return componentHistory(name, 3, new Map(Object.entries(samples)), incidents, now)
}

const full = { '2026-11-20': 1440, '2026-11-21': 1440, '2026-11-22': 720 }

describe('componentHistory', () => {
  it('returns each day up to today, oldest first', () => {
    expect(historyOf([], { samples: full })).toEqual({
      name: 'outbox',
      uptime: 1,
      days: [
        {
          day: '2026-11-20',
          condition: 'operational',
          outage_seconds: 0,
          degraded_seconds: 0,
          measured_seconds: day,
        },
        {
          day: '2026-11-21',
          condition: 'operational',
          outage_seconds: 0,
          degraded_seconds: 0,
          measured_seconds: day,
        },
        {
          day: '2026-11-22',
          condition: 'operational',
          outage_seconds: 0,
          degraded_seconds: 0,
          measured_seconds: day / 2,
        },
      ],
    })
  })

  it('shows a day without samples as not measured, and leaves it out of the uptime', () => {
    const outage = incident('outbox', 'outage', '2026-11-21T00:00:00Z', '2026-11-21T12:00:00Z')
    const { days, uptime } = historyOf([outage], { samples: { '2026-11-21': 1440 } })
    expect(days.map(({ condition }) => condition)).toEqual(['no_data', 'outage', 'no_data'])
    expect(uptime).toBe(0.5)
    expect(historyOf([]).uptime).toBeNull()
  })

  it('divides an incident over midnight, and counts an open one up to now', () => {
    const { days } = historyOf([incident('outbox', 'outage', '2026-11-21T23:00:00Z', null)], {
      samples: full,
    })
    expect(days.map(({ outage_seconds }) => outage_seconds)).toEqual([0, 3600, day / 2])
  })

  it('counts incidents at the same time once, and the worse condition first', () => {
    const { days, uptime } = historyOf(
      [
        incident('outbox', 'degraded', '2026-11-21T10:00:00Z', '2026-11-21T14:00:00Z'),
        incident('outbox', 'outage', '2026-11-21T11:00:00Z', '2026-11-21T12:00:00Z'),
        incident(null, 'outage', '2026-11-21T11:30:00Z', '2026-11-21T12:30:00Z'),
      ],
      { samples: { '2026-11-21': 1440 } },
    )
    expect(days[1]).toMatchObject({ condition: 'outage', outage_seconds: 5400, degraded_seconds: 9000 })
    expect(uptime).toBe(1 - 5400 / day)
  })

  it('counts an outage of the database as measured, and for every component', () => {
    // While the database is down, there are no samples.
    const outage = incident('database', 'outage', '2026-11-21T06:00:00Z', '2026-11-21T12:00:00Z')
    for (const name of ['database', 'outbox', 'redis'] as const) {
      const { days, uptime } = historyOf([outage], { samples: { '2026-11-21': 1080 }, name })
      expect(days[1]).toMatchObject({ outage_seconds: day / 4, measured_seconds: day })
      expect(uptime).toBe(0.75)
    }
  })

  it('does not count a degraded database or another component', () => {
    const { days } = historyOf(
      [
        incident('database', 'degraded', '2026-11-21T06:00:00Z', '2026-11-21T12:00:00Z'),
        incident('redis', 'outage', '2026-11-21T06:00:00Z', '2026-11-21T12:00:00Z'),
      ],
      { samples: full },
    )
    expect(days[1]?.condition).toBe('operational')
  })

  it('never counts more of today than has passed', () => {
    const { days } = historyOf([], { samples: { '2026-11-22': 1440 } })
    expect(days[2]?.measured_seconds).toBe(day / 2)
  })
})
