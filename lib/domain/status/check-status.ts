/**
 * The status of the service, available also during an outage. Every check of a component has a timeout, after which the component
 * counts as down. Simultaneous requests share one check, so that they do not all query a database that hangs.
 */
import type { z } from 'zod'
import { db, openDatabase } from '@/lib/db/client'
import { isDiskFull } from '@/lib/db/full-disk'
import { connectRedis } from '@/lib/db/redis'
import { readLateQueues } from '@/lib/infrastructure/worker/queues'
import { cached } from '@/lib/kernel/cached'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { medianLatency } from '@/lib/kernel/latency'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'
import { version } from '@/lib/kernel/version'
import type { Condition, SystemStatus } from './schema'

const timeoutSeconds = 2
const aliveSeconds = 5 * minute
/** Short, so that an agent counts as alive soon after it has bonded. */
const cacheSeconds = 1

function isAnswering(name: string, check: () => Promise<unknown>): Promise<boolean> {
  const shared = singleton(`status.check.${name}`, () => ({ running: null as Promise<boolean> | null }))
  shared.running ??= withTimeout(timeoutSeconds, check())
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      shared.running = null
    })
  return shared.running
}

async function pingDatabase(): Promise<void> {
  await openDatabase()
  await db().rows`SELECT 1`
}

interface Workload {
  agentsAlive: number
  isOutboxLate: boolean
}

async function readWorkload(now: Date): Promise<Workload> {
  const [rows, late] = await Promise.all([
    db().rows<{ agentsAlive: number }>`
      SELECT count(*)::int AS "agentsAlive" FROM "Agent"
      WHERE "lastSeenAt" > ${secondsAfter(now, -aliveSeconds)}::timestamptz AND "status" = 'bonded'`,
    readLateQueues(now),
  ])
  return { agentsAlive: rows[0]?.agentsAlive ?? 0, isOutboxLate: late.length > 0 }
}

/** Returns the workload, or null when the database does not answer. */
async function findWorkload(now: Date): Promise<Workload | null> {
  if (!(await isAnswering('database', pingDatabase))) return null
  const read = () => withTimeout(timeoutSeconds, readWorkload(now))
  return cached('work', cacheSeconds, now, read).catch(() => null)
}

/** Returns the overall condition: `outage` without the database, `degraded` when another component is not operational. */
function overall(database: Condition, others: Condition[]): Condition {
  if (database === 'outage') return 'outage'
  return others.every((other) => other === 'operational') ? 'operational' : 'degraded'
}

/** Returns the status of the service. Takes a few seconds at most, also when components do not answer. */
export async function checkStatus(now: Date): Promise<z.input<typeof SystemStatus>> {
  const redis = connectRedis()
  const [work, isRedisUp] = await Promise.all([
    findWorkload(now),
    redis === null ? null : isAnswering('redis', () => redis.ping()),
  ])
  // With a full disk, pages can be read and nothing can be changed.
  const isFull = isDiskFull()
  const database: Condition = work === null || isFull ? 'outage' : 'operational'
  const outbox: Condition = work === null ? 'outage' : work.isOutboxLate ? 'degraded' : 'operational'
  const limits: Condition = isRedisUp === false ? 'outage' : 'operational'
  return {
    status: overall(database, [outbox, limits]),
    function_version: version,
    agents_alive: work?.agentsAlive ?? 0,
    api_latency_ms: medianLatency(),
    components: [
      { name: 'database', status: database, ...(isFull ? { reason: 'disk_full' as const } : {}) },
      { name: 'outbox', status: outbox },
      ...(isRedisUp === null ? [] : [{ name: 'redis' as const, status: limits }]),
    ],
    checked_at: now,
  }
}
