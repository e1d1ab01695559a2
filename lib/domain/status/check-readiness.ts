import type { z } from 'zod'
import { db, openDatabase } from '@/lib/db/client'
import { isDiskFull } from '@/lib/db/full-disk'
import { migrationNames } from '@/lib/db/migrate'
import { lateLogSeconds, readLogLag } from '@/lib/domain/tlog/lag'
import { hasStopped } from '@/lib/infrastructure/worker/pulse'
import { readLateQueues } from '@/lib/infrastructure/worker/queues'
import { cached } from '@/lib/kernel/cached'
import type { AnonymousContext } from '@/lib/kernel/context'
import { singleton } from '@/lib/kernel/singleton'
import { withTimeout } from '@/lib/kernel/timeout'
import type { Readiness } from './schema'

const timeoutSeconds = 2
const retrySeconds = 2
/** Load balancers probe often. */
const cacheSeconds = 5

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
  return cached('readiness.late', cacheSeconds, now, () =>
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
