/**
 * How the service is, told also while it is not well: every question to a part of it has a time limit, and an unanswered one
 * is an answer. Simultaneous askers share one question, so that a database that hangs is not asked by everybody at once.
 */
import type { z } from 'zod'
import { db, openDatabase } from '@/lib/db/client'
import { connectRedis } from '@/lib/db/redis'
import { cached } from '@/lib/kernel/cached'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { medianLatency } from '@/lib/kernel/latency'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'
import type { Condition, SystemStatus } from './schema'
import { version } from './version'

const patienceSeconds = 2
const aliveSeconds = 5 * minute
/** Spec silent: from when on mail and webhooks that nobody works off are worth telling. */
const lateSeconds = 5 * minute
/** An agent that has just bonded is to be seen alive; one question a second costs nothing. */
const keptSeconds = 1

function isAnswering(name: string, ask: () => Promise<unknown>): Promise<boolean> {
  const asked = singleton(`status.${name}`, () => ({ running: null as Promise<boolean> | null }))
  asked.running ??= withTimeout(patienceSeconds, ask())
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      asked.running = null
    })
  return asked.running
}

async function pingDatabase(): Promise<void> {
  await openDatabase()
  await db().$queryRaw`SELECT 1`
}

interface Work {
  agentsAlive: number
  isOutboxLate: boolean
}

/** Webhooks are late when the worker serves no accounts; that a receiver keeps its own account waiting is not our fault. */
async function readWork(now: Date): Promise<Work> {
  const rows = await db().$queryRaw<Work[]>`
    SELECT
      (SELECT count(*)::int FROM "Agent"
        WHERE "lastSeenAt" > ${secondsAfter(now, -aliveSeconds)}::timestamptz AND "status" = 'bonded') AS "agentsAlive",
      EXISTS (SELECT 1 FROM "Outbox"
        WHERE ("kind" < 'webhook' OR "kind" > 'webhook') AND "failedAt" IS NULL
          AND "dueAt" < ${secondsAfter(now, -lateSeconds)}::timestamptz)
      OR EXISTS (SELECT 1 FROM "WebhookQueue"
        WHERE "dueAt" < ${secondsAfter(now, -lateSeconds)}::timestamptz) AS "isOutboxLate"`
  return rows[0] ?? { agentsAlive: 0, isOutboxLate: false }
}

/** What the database knows of the work in hand; null where it does not answer. */
async function findWork(now: Date): Promise<Work | null> {
  if (!(await isAnswering('database', pingDatabase))) return null
  const read = () => withTimeout(patienceSeconds, readWork(now))
  return cached('work', keptSeconds, now, read).catch(() => null)
}

/** The condition of the whole: out without its database, degraded when any other part is not well. */
function overall(database: Condition, others: Condition[]): Condition {
  if (database === 'outage') return 'outage'
  return others.every((other) => other === 'operational') ? 'operational' : 'degraded'
}

/** The status of the service. Answers within some seconds, whatever is down. */
export async function checkStatus(now: Date): Promise<z.input<typeof SystemStatus>> {
  const redis = connectRedis()
  const [work, isRedisUp] = await Promise.all([
    findWork(now),
    redis === null ? null : isAnswering('redis', () => redis.ping()),
  ])
  const database: Condition = work === null ? 'outage' : 'operational'
  const outbox: Condition = work === null ? 'outage' : work.isOutboxLate ? 'degraded' : 'operational'
  const limits: Condition = isRedisUp === false ? 'outage' : 'operational'
  return {
    status: overall(database, [outbox, limits]),
    function_version: version,
    agents_alive: work?.agentsAlive ?? 0,
    api_latency_ms: medianLatency(),
    components: [
      { name: 'database', status: database },
      { name: 'outbox', status: outbox },
      ...(isRedisUp === null ? [] : [{ name: 'redis' as const, status: limits }]),
    ],
    checked_at: now,
  }
}
