import type { z } from 'zod'
import { db } from '@/lib/db/client'
import { type CountName, counts } from '@/lib/infrastructure/events/kinds'
import { cached } from '@/lib/kernel/cached'
import type { Metrics } from './schema'
import { galaxyVersion } from './version'

/** Folded every 2 s and kept for 5: never more than 10 s behind (contract B). */
const keptSeconds = 5

async function readTotals(now: Date) {
  const rows = await db().metricTotal.findMany()
  const totals = new Map(rows.map(({ name, value }) => [name, Math.max(0, Number(value))]))
  const entries = counts.map((name) => [name, totals.get(name) ?? 0])
  return { ...(Object.fromEntries(entries) as Record<CountName, number>), as_of: now }
}

/** The public counts. `as_of` is when this process read them. */
export async function readMetrics(now: Date): Promise<z.input<typeof Metrics>> {
  return {
    ...(await cached('metrics', keptSeconds, now, () => readTotals(now))),
    galaxy_version: galaxyVersion,
  }
}
