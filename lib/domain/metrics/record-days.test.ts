import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { counts } from '@/lib/infrastructure/events/kinds/kind'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { pageViews } from './history'
import { readHistory } from './read-metrics'
import { recordDays } from './record-days'

/** Days that no other test uses. */
const noon = new Date('2041-05-10T12:00:00Z')
const tomorrow = secondsAfter(noon, day)

beforeEach(async () => {
  await db().run`DELETE FROM "MetricDay" WHERE "day" >= '2041-01-01'`
  await db().pageView.deleteMany({ where: { createdAt: { gte: new Date('2041-01-01') } } })
  for (const name of ['since', 'month', 'quarter', 'year']) forget(`cached.history.${name}`)
})

async function recorded(date: string): Promise<Record<string, number>> {
  const rows = await db().rows<{ name: string; value: number }>`
    SELECT "name", "value"::float8 AS "value" FROM "MetricDay" WHERE "day" = ${date}::date`
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

async function addToTotal(value: number): Promise<void> {
  await db().metricTotal.upsert({
    where: { name: 'domains' },
    create: { name: 'domains', value },
    update: { value: { increment: value } },
  })
}

function view(at: string): Promise<unknown> {
  return db().pageView.create({ data: { page: '/', createdAt: new Date(at) } })
}

describe('recordDays', () => {
  it('records every public count, and a later run replaces the value of the same day', async () => {
    await recordDays(noon)
    const first = await recorded('2041-05-10')
    expect(Object.keys(first).sort()).toEqual([...counts].sort())
    await addToTotal(3)
    await recordDays(secondsAfter(noon, minute))
    expect(await recorded('2041-05-10')).toEqual({ ...first, domains: (first.domains ?? 0) + 3 })
  })

  it('does not change a day after its end', async () => {
    await recordDays(noon)
    const before = await recorded('2041-05-10')
    await addToTotal(5)
    await recordDays(tomorrow)
    expect((await recorded('2041-05-10')).domains).toBe(before.domains)
    expect((await recorded('2041-05-11')).domains).toBe((before.domains ?? 0) + 5)
  })

  it('records each count once when several workers run at the same time', async () => {
    await Promise.all([noon, noon, noon].map(recordDays))
    expect(Object.keys(await recorded('2041-05-10'))).toHaveLength(counts.length)
  })
})

describe('page views', () => {
  it('are counted after the end of their day (UTC)', async () => {
    await view('2041-05-08T23:59:59.999Z')
    await view('2041-05-09T00:00:00.000Z')
    await view('2041-05-09T23:59:59.999Z')
    await view('2041-05-10T00:00:00.000Z')
    await recordDays(noon)
    expect((await recorded('2041-05-08'))[pageViews]).toBe(1)
    expect((await recorded('2041-05-09'))[pageViews]).toBe(2)
    expect((await recorded('2041-05-10'))[pageViews]).toBeUndefined()
    await recordDays(tomorrow)
    expect((await recorded('2041-05-10'))[pageViews]).toBe(1)
  })

  it('have no history when none were ever recorded', async () => {
    await db().run`DELETE FROM "MetricDay" WHERE "name" = ${pageViews}`
    await db().pageView.deleteMany()
    await recordDays(noon)
    expect(await db().rows`SELECT 1 FROM "MetricDay" WHERE "name" = ${pageViews}`).toEqual([])
  })

  it('are counted five minutes after midnight, when late ones are stored', async () => {
    await view('2041-05-09T12:00:00Z')
    await recordDays(new Date('2041-05-10T00:04:00Z'))
    expect((await recorded('2041-05-09'))[pageViews]).toBeUndefined()
    await recordDays(new Date('2041-05-10T00:06:00Z'))
    expect((await recorded('2041-05-09'))[pageViews]).toBe(1)
  })

  it('are counted later when no worker was running, also for days without views', async () => {
    await view('2041-05-05T12:00:00Z')
    await recordDays(new Date('2041-05-06T12:00:00Z'))
    await view('2041-05-08T12:00:00Z')
    await recordDays(noon)
    const days = ['2041-05-05', '2041-05-06', '2041-05-07', '2041-05-08', '2041-05-09']
    const values = []
    for (const date of days) values.push((await recorded(date))[pageViews])
    expect(values).toEqual([1, 0, 0, 1, 0])
  })
})

describe('readHistory', () => {
  it('returns the recorded days and the current counts', async () => {
    await recordDays(noon)
    await addToTotal(2)
    const history = await readHistory(30, tomorrow)
    const { domains } = history.counts
    expect(history.days.slice(-2)).toEqual(['2041-05-10', '2041-05-11'])
    expect((domains.at(-1) ?? 0) - (domains.at(-2) ?? 0)).toBe(2)
  })

  it('returns only the days of the period', async () => {
    await recordDays(noon)
    await recordDays(secondsAfter(noon, 40 * day))
    const now = secondsAfter(noon, 41 * day)
    expect((await readHistory(30, now)).days).toHaveLength(2)
    expect((await readHistory(90, now)).days).toHaveLength(42)
  })
})
