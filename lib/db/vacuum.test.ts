import { expect, it } from 'vitest'
import { describeOnEmbedded } from '@/lib/fixtures/source-files'
import { db } from './client'
import { vacuumEmbedded } from './vacuum'

interface Statistics {
  dead: number
  changed: number
  analyzed: Date | null
}

async function statisticsOf(table: string): Promise<Statistics> {
  await db().run`SELECT pg_stat_force_next_flush()`
  const rows = await db().rows<Statistics>`
    SELECT n_dead_tup::int AS dead, n_mod_since_analyze::int AS changed, last_analyze AS analyzed
    FROM pg_stat_user_tables WHERE relname = ${table}`
  if (!rows[0]) throw new Error(`no table ${table}`)
  return rows[0]
}

describeOnEmbedded('the embedded database', () => {
  it('is vacuumed and analysed after many changes', async () => {
    await db().run`INSERT INTO "MetricDelta" ("name", "delta") SELECT 'test', 0 FROM generate_series(1, 3000)`
    await db().run`DELETE FROM "MetricDelta" WHERE "name" = 'test'`
    expect((await statisticsOf('MetricDelta')).dead).toBeGreaterThan(2_000)
    await vacuumEmbedded()
    expect(await statisticsOf('MetricDelta')).toMatchObject({
      dead: 0,
      changed: 0,
      analyzed: expect.any(Date),
    })
  })

  it('is not vacuumed after few changes', async () => {
    await vacuumEmbedded()
    const before = await statisticsOf('MetricDelta')
    await db().run`INSERT INTO "MetricDelta" ("name", "delta") VALUES ('test', 0)`
    await vacuumEmbedded()
    expect((await statisticsOf('MetricDelta')).analyzed).toEqual(before.analyzed)
  })
})
