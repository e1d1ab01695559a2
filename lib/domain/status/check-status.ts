/**
 * The status of the service, available also during an outage. Every check of a component has a timeout, after which the component
 * counts as down. Simultaneous requests share one check, so that they do not all query a database that hangs.
 */

import type { z } from 'zod'
import { db, openDatabase, type Tx } from '@/lib/db/client'
import { isDiskFull } from '@/lib/db/full-disk'
import { migrationNames } from '@/lib/db/migrate'
import { connectRedis } from '@/lib/db/redis'
import { transaction } from '@/lib/db/transaction'
import { lateLogSeconds, readLogLag } from '@/lib/domain/tlog/lag'
import { readLateQueues } from '@/lib/infrastructure/worker/queues'
import { hasStopped } from '@/lib/infrastructure/worker/renew'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { cached } from '@/lib/kernel/runtime/cached'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { medianLatency } from '@/lib/kernel/runtime/latency'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { withTimeout } from '@/lib/kernel/runtime/timeout'
import { newId } from '@/lib/kernel/secrets/ids'
import { version } from '@/lib/kernel/service/version'
import { dayOf } from '@/lib/kernel/text/utc-day'
import type { ComponentName, Condition, Readiness, SystemStatus } from './schema'

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

/** Returns the status of the service. Takes a few seconds at most, even when components do not answer. */
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

/**
 * Records the status for its history: once a minute that it was measured, and each incident in one row. Every worker checks, and one of
 * them records. While the database is down nothing can be recorded, so each worker remembers since when. The outage is recorded when the
 * database is back. A start of less than a minute is no outage.
 */

/** Less than the time between two samples, so that a worker that is a little early still takes its turn. */
const pauseSeconds = minute - 5

/** A worker that has not reached the database yet starts together with it. */
const startSeconds = minute

const memory = () =>
  singleton('status.down-since', () => ({ downSince: null as Date | null, hasWorked: false }))

/** Checks the components and records what has changed. Called by the worker every few seconds. */
export async function recordStatus(now: Date): Promise<void> {
  const known = memory()
  const { components } = await checkStatus(now)
  if (components.some(({ name, status }) => name === 'database' && status === 'outage')) {
    known.downSince ??= now
    return
  }
  const { downSince } = known
  const isStart = !known.hasWorked && downSince !== null && now < secondsAfter(downSince, startSeconds)
  if (downSince !== null && !isStart) await transaction((tx) => recordOutage(tx, downSince, now))
  known.downSince = null
  known.hasWorked = true
  if (await claimSample(now)) await transaction((tx) => recordConditions(tx, components, now))
}

/** Counts a sample. Returns false when a worker did so less than a minute ago. */
async function claimSample(now: Date): Promise<boolean> {
  const counted = await db().run`
    INSERT INTO "StatusDay" AS d ("day", "samples", "sampledAt") VALUES (${dayOf(now)}::date, 1, ${now}::timestamptz)
    ON CONFLICT ("day") DO UPDATE SET "samples" = d."samples" + 1, "sampledAt" = EXCLUDED."sampledAt"
    WHERE d."sampledAt" <= ${secondsAfter(now, -pauseSeconds)}::timestamptz`
  return counted === 1
}

interface Measured {
  name: ComponentName
  status: Condition
}

/** Opens an incident for each component that does not work, and ends the incidents of all others. A worse condition replaces a better one. */
async function recordConditions(tx: Tx, components: Measured[], now: Date): Promise<void> {
  const troubled = components.filter(({ status }) => status !== 'operational')
  for (const { name, status } of troubled)
    await tx.run`
      INSERT INTO "Incident" AS i ("id", "component", "condition", "byOperator", "startedAt")
      VALUES (${newId('incident', now)}, ${name}, ${status}, false, ${now}::timestamptz)
      ON CONFLICT ("component") WHERE ("endedAt" IS NULL) AND (NOT "byOperator")
      DO UPDATE SET "condition" = 'outage' WHERE EXCLUDED."condition" = 'outage' AND i."condition" <> 'outage'`
  await tx.run`
    UPDATE "Incident" SET "endedAt" = ${now}::timestamptz
    WHERE ("endedAt" IS NULL) AND (NOT "byOperator") AND "component" <> ALL(${troubled.map(({ name }) => name)}::text[])`
}

/**
 * Records that the database was down. Every worker that noticed the outage calls this with its own times, and the longest span remains.
 * The lock of the newest day orders the workers.
 */
async function recordOutage(tx: Tx, since: Date, until: Date): Promise<void> {
  await tx.rows`SELECT "day" FROM "StatusDay" ORDER BY "day" DESC LIMIT 1 FOR UPDATE`
  const extended = await tx.run`
    UPDATE "Incident" SET
      "startedAt" = least("startedAt", ${since}::timestamptz), "endedAt" = greatest("endedAt", ${until}::timestamptz)
    WHERE "component" = 'database' AND "condition" = 'outage' AND NOT "byOperator"
      AND "startedAt" <= ${secondsAfter(until, minute)}::timestamptz AND "endedAt" >= ${secondsAfter(since, -minute)}::timestamptz`
  if (extended > 0) return
  await tx.run`
    INSERT INTO "Incident" ("id", "component", "condition", "byOperator", "startedAt", "endedAt")
    VALUES (${newId('incident', until)}, 'database', 'outage', false, ${since}::timestamptz, ${until}::timestamptz)`
}

const retrySeconds = 2
/** Load balancers probe often. */
const readinessCacheSeconds = 5

type LateQueue = z.input<typeof Readiness>['late_queues'][number]

async function isUpToDate(): Promise<boolean> {
  await openDatabase()
  if (isDiskFull()) return false
  const rows = await db().rows<{ name: string }>`
    SELECT migration_name AS "name" FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  const applied = new Set(rows.map(({ name }) => name))
  return singleton('migrations', migrationNames).every((name) => applied.has(name))
}

/** Returns the names of the queues that are late, at most some seconds old. Empty when they cannot be read. */
function findLate(now: Date): Promise<LateQueue[]> {
  const read = async (): Promise<LateQueue[]> => {
    const [late, { seconds }] = await Promise.all([readLateQueues(now), readLogLag(now)])
    return seconds > lateLogSeconds ? [...late, 'log'] : late
  }
  return cached('readiness.late', readinessCacheSeconds, now, () =>
    withTimeout(timeoutSeconds, read()).catch(() => []),
  )
}

/**
 * Returns what is late, which is no reason to take this instance out of service: another mail server or another instance may be the cause.
 * Throws `unavailable` unless the database answers, takes writes and has every migration of this build, and `worker_stopped` when the worker of
 * this process has stopped.
 */
export async function checkReadiness(
  context: AnonymousContext<'unavailable' | 'worker_stopped'>,
): Promise<z.input<typeof Readiness>> {
  const isReady = await withTimeout(timeoutSeconds, isUpToDate()).catch(() => false)
  if (!isReady) throw context.fail('unavailable', { retry_after: retrySeconds })
  if (hasStopped(context.now)) throw context.fail('worker_stopped', { retry_after: retrySeconds })
  return { status: 'ready', late_queues: await findLate(context.now) }
}
