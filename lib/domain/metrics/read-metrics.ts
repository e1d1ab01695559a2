import type { z } from 'zod'
import { db } from '@/lib/db/client'
import { type CountName, counts } from '@/lib/infrastructure/events/kinds/kind'
import { cached } from '@/lib/kernel/cached'
import type { Metrics } from './schema'

/** The version of the public counts. It changes when their meaning changes (contract G). */
const galaxyVersion = '1'

/** The worker folds the counts every 2 s, so they are at most 10 s old (contract B). */
const cacheSeconds = 5

async function readTotals(now: Date) {
  const rows = await db().metricTotal.findMany()
  const totals = new Map(rows.map(({ name, value }) => [name, Math.max(0, Number(value))]))
  const entries = counts.map((name) => [name, totals.get(name) ?? 0])
  return { ...(Object.fromEntries(entries) as Record<CountName, number>), as_of: now }
}

/** Returns the public counts. `as_of` is the time when this process read them. */
export async function readMetrics(now: Date): Promise<z.input<typeof Metrics>> {
  return {
    ...(await cached('metrics', cacheSeconds, now, () => readTotals(now))),
    galaxy_version: galaxyVersion,
  }
}
