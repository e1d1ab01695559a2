import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { counts } from '@/lib/infrastructure/events/kinds'
import { day, minute, secondsAfter } from '@/lib/kernel/clock'
import { forget } from '@/lib/kernel/singleton'
import { pageViews } from './history'
import { keepDays } from './keep-days'
import { readHistory } from './read-history'

/** Days that no other test lives in. */
const noon = new Date('2041-05-10T12:00:00Z')
const tomorrow = secondsAfter(noon, day)

beforeEach(async () => {
  await db().$executeRaw`DELETE FROM "MetricDay" WHERE "day" >= '2041-01-01'`
  await db().pageView.deleteMany({ where: { createdAt: { gte: new Date('2041-01-01') } } })
  for (const name of ['since', 'month', 'quarter', 'year']) forget(`cached.history.${name}`)
})

async function kept(date: string): Promise<Record<string, number>> {
  const rows = await db().$queryRaw<{ name: string; value: number }[]>`
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

describe('keeping a day', () => {
  it('writes down every public count, and its last word stands', async () => {
    await keepDays(noon)
    const first = await kept('2041-05-10')
    expect(Object.keys(first).sort()).toEqual([...counts].sort())
    await addToTotal(3)
    await keepDays(secondsAfter(noon, minute))
    expect(await kept('2041-05-10')).toEqual({ ...first, domains: (first.domains ?? 0) + 3 })
  })

  it('leaves a day as it was once the next one has begun', async () => {
    await keepDays(noon)
    const before = await kept('2041-05-10')
    await addToTotal(5)
    await keepDays(tomorrow)
    expect((await kept('2041-05-10')).domains).toBe(before.domains)
    expect((await kept('2041-05-11')).domains).toBe((before.domains ?? 0) + 5)
  })

  it('comes to the same when several workers do it at once', async () => {
    await Promise.all([noon, noon, noon].map(keepDays))
    expect(Object.keys(await kept('2041-05-10'))).toHaveLength(counts.length)
  })
})

describe('page views', () => {
  it('are counted once a day is over, each in the day (UTC) it was in', async () => {
    await view('2041-05-08T23:59:59.999Z')
    await view('2041-05-09T00:00:00.000Z')
    await view('2041-05-09T23:59:59.999Z')
    await view('2041-05-10T00:00:00.000Z')
    await keepDays(noon)
    expect((await kept('2041-05-08'))[pageViews]).toBe(1)
    expect((await kept('2041-05-09'))[pageViews]).toBe(2)
    expect((await kept('2041-05-10'))[pageViews]).toBeUndefined()
    await keepDays(tomorrow)
    expect((await kept('2041-05-10'))[pageViews]).toBe(1)
  })

  it('are no history where there never were any', async () => {
    await db().$executeRaw`DELETE FROM "MetricDay" WHERE "name" = ${pageViews}`
    await db().pageView.deleteMany()
    await keepDays(noon)
    expect(await db().$queryRaw`SELECT 1 FROM "MetricDay" WHERE "name" = ${pageViews}`).toEqual([])
  })

  it('wait some minutes after midnight for those that are being written', async () => {
    await view('2041-05-09T12:00:00Z')
    await keepDays(new Date('2041-05-10T00:04:00Z'))
    expect((await kept('2041-05-09'))[pageViews]).toBeUndefined()
    await keepDays(new Date('2041-05-10T00:06:00Z'))
    expect((await kept('2041-05-09'))[pageViews]).toBe(1)
  })

  it('of days without a worker are counted later, and the quiet days too', async () => {
    await view('2041-05-05T12:00:00Z')
    await keepDays(new Date('2041-05-06T12:00:00Z'))
    await view('2041-05-08T12:00:00Z')
    await keepDays(noon)
    const days = ['2041-05-05', '2041-05-06', '2041-05-07', '2041-05-08', '2041-05-09']
    const values = []
    for (const one of days) values.push((await kept(one))[pageViews])
    expect(values).toEqual([1, 0, 0, 1, 0])
  })
})

describe('the history that is read', () => {
  it('leads over the kept days to now', async () => {
    await keepDays(noon)
    await addToTotal(2)
    const history = await readHistory(30, tomorrow)
    const { domains } = history.counts
    expect(history.days.slice(-2)).toEqual(['2041-05-10', '2041-05-11'])
    expect((domains.at(-1) ?? 0) - (domains.at(-2) ?? 0)).toBe(2)
  })

  it('reads the days asked for and none before', async () => {
    await keepDays(noon)
    await keepDays(secondsAfter(noon, 40 * day))
    const now = secondsAfter(noon, 41 * day)
    expect((await readHistory(30, now)).days).toHaveLength(2)
    expect((await readHistory(90, now)).days).toHaveLength(42)
  })
})
