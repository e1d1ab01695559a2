import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { counts } from '@/lib/infrastructure/events/kinds/kind'

describe('200', () => {
  it('returns a value of each count for each day, and ends today', async () => {
    const { status, body } = await call('GET /beak/metrics/history?days=90')
    expect(status).toBe(200)
    expect(body.days.length).toBeGreaterThan(0)
    expect(body.days.at(-1)).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(Object.keys(body.counts).sort()).toEqual([...counts].sort())
    for (const name of counts) expect(body.counts[name]).toHaveLength(body.days.length)
    expect(body.since).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('returns 30 days by default', async () => {
    const [byDefault, month] = await Promise.all([
      call('GET /beak/metrics/history'),
      call('GET /beak/metrics/history?days=30'),
    ])
    expect(byDefault.body.days).toEqual(month.body.days)
  })
})

describe('400', () => {
  it('rejects other numbers of days', async () => {
    expect((await call('GET /beak/metrics/history?days=31')).status).toBe(400)
  })
})
