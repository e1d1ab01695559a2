import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { recordStatus } from '@/lib/domain/status/check-status'
import { openIncident } from '@/lib/domain/status/history'
import { day, hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'

beforeEach(async () => {
  for (const days of [30, 90]) forget(`cached.status.history.${days}`)
  await db().run`DELETE FROM "StatusDay"`
  await db().run`DELETE FROM "Incident"`
})

const history = async (query = '') => (await call(`GET /beak/system/history${query}`)).body

describe('200', () => {
  it('returns 90 days of each component, and that nothing was measured yet', async () => {
    const { status, body } = await call('GET /beak/system/history')
    expect(status).toBe(200)
    expect(body).toMatchObject({ since: null, incidents: [] })
    expect(body.components.map(({ name }: { name: string }) => name)).toEqual(['database', 'outbox'])
    for (const { days, uptime } of body.components) {
      expect(uptime).toBeNull()
      expect(days).toHaveLength(90)
      expect(days.at(-1)).toEqual({
        day: readClock().toISOString().slice(0, 10),
        condition: 'no_data',
        outage_seconds: 0,
        degraded_seconds: 0,
        measured_seconds: 0,
      })
    }
    expect((await history('?days=30')).components[0].days).toHaveLength(30)
  })

  it('shows what the worker has measured', async () => {
    await db().run`DELETE FROM "Outbox"`
    await recordStatus(readClock())
    const { since, components } = await history()
    expect(since).toBe(readClock().toISOString().slice(0, 10))
    expect(components[0].days.at(-1)).toMatchObject({ condition: 'operational' })
    expect(components[0].uptime).toBe(1)
  })

  it('returns the newest incidents first, without those that ended before', async () => {
    const now = readClock()
    const open = (note: string, from: Date) =>
      openIncident({ component: null, condition: 'outage', note, from }, now)
    const old = await open('Old.', secondsAfter(now, -100 * day))
    await db().incident.update({ where: { id: old }, data: { endedAt: secondsAfter(now, -99 * day) } })
    const first = await open('First.', secondsAfter(now, -2 * hour))
    const second = await open('Second.', secondsAfter(now, -hour))
    const { incidents } = await history()
    expect(incidents).toEqual([
      {
        incident_id: second,
        component: null,
        condition: 'outage',
        source: 'operator',
        started_at: secondsAfter(now, -hour).toISOString(),
        ended_at: null,
        note: 'Second.',
      },
      expect.objectContaining({ incident_id: first, note: 'First.' }),
    ])
  })
})

describe('400', () => {
  it('rejects other numbers of days', async () => {
    expect((await call('GET /beak/system/history?days=365')).status).toBe(400)
  })
})
