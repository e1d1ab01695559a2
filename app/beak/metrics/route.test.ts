import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { readMetrics } from '@/lib/domain/metrics/read-metrics'
import { foldMetrics } from '@/lib/domain/metrics/record-days'
import { aDuckling } from '@/lib/factories/ducklings'
import { counts } from '@/lib/infrastructure/events/kinds/kind'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'

/** Returns a total. The names are used only in this file, so other tests do not change them. */
async function totalOf(name: string): Promise<number> {
  return Number((await db().metricTotal.findUnique({ where: { name } }))?.value ?? 0)
}

/** With PostgreSQL other tests count in the same database at the same time. The embedded database belongs to this file only. */
function expectGrowth(actual: number, expected: number): void {
  if (config().databaseUrl === null) expect(actual).toBe(expected)
  else expect(actual).toBeGreaterThanOrEqual(expected)
}

describe('200', () => {
  it('returns the public counts and the time when they were read', async () => {
    const { status, body } = await call('GET /beak/metrics')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([...counts, 'galaxy_version', 'as_of'].sort())
    for (const name of counts) expect(body[name]).toBeTypeOf('number')
  })

  it('counts sign-ups after the changes are folded', async () => {
    await foldMetrics()
    const now = readClock()
    const before = await readMetrics(secondsAfter(now, 100))
    for (let count = 0; count < 3; count++) await aDuckling({ tier: 'T0' })
    await foldMetrics()
    await foldMetrics()
    const after = await readMetrics(secondsAfter(now, 200))
    expectGrowth(after.registered_ducklings - before.registered_ducklings, 3)
    expect(after.as_of).toEqual(secondsAfter(now, 200))
  })

  it('is answered from memory for five seconds, for all clients', async () => {
    forget('cached.metrics')
    const now = readClock()
    const first = await readMetrics(now)
    await db().metricDelta.create({ data: { name: 'domains', delta: 1 } })
    await foldMetrics()
    const many = await Promise.all(Array.from({ length: 50 }, () => readMetrics(secondsAfter(now, 4.9))))
    for (const one of many) expect(one).toEqual(first)
    expectGrowth((await readMetrics(secondsAfter(now, 5))).domains - first.domains, 1)
  })
})

describe('foldMetrics', () => {
  it('counts each change once when several workers run while changes are added', async () => {
    const name = `test_${Math.random()}`
    const add = (delta: number) =>
      transaction((tx) =>
        tx.metricDelta.createMany({ data: Array.from({ length: 7 }, () => ({ name, delta })) }),
      )
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        add(index % 3 === 0 ? -1 : 2),
        foldMetrics(),
        foldMetrics(),
      ]).flat(),
    )
    await foldMetrics()
    expect(await totalOf(name)).toBe(7 * (7 * -1 + 13 * 2))
    expect(await db().metricDelta.count({ where: { name } })).toBe(0)
  })

  it('folds more than one batch', async () => {
    const name = `test_${Math.random()}`
    await db().run`
      INSERT INTO "MetricDelta" ("name", "delta") SELECT ${name}::text, 1 FROM generate_series(1, 12000)`
    await foldMetrics()
    expect(await totalOf(name)).toBe(12_000)
  })

  it('does not count a change that was rolled back', async () => {
    const name = `test_${Math.random()}`
    await transaction(async (tx) => {
      await tx.metricDelta.create({ data: { name, delta: 1 } })
      throw new Error('rolled back')
    }).catch(() => undefined)
    await foldMetrics()
    expect(await totalOf(name)).toBe(0)
  })
})

describe('GET /beak/metrics/history', () => {
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
})
