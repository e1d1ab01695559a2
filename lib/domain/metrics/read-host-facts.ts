/** What the host of a service watches, from the database. Scraping often costs nothing: a process reads the facts once in ten seconds. */
import { db, openDatabase } from '@/lib/db/client'
import { type LogLag, readLogLag, readWitnesses, type WitnessState } from '@/lib/domain/tlog/lag'
import { type Queue, readQueues } from '@/lib/infrastructure/worker/queues'
import { cached } from '@/lib/kernel/runtime/cached'
import { withTimeout } from '@/lib/kernel/runtime/timeout'

const cacheSeconds = 10
const timeoutSeconds = 2
/** Waiting pecks are counted up to this number. */
const countedMax = 10_000

export interface HostFacts {
  queues: Queue[]
  log: LogLag
  witnesses: WitnessState[]
  /** Pecks that wait for a decision, at most 10,000. */
  pendingPecks: number
  /** Programs that are connected by OAuth, at most 10,000. */
  connections: number
  /** When the newest backup was made with the command of the operator. Null when there is none. */
  backupAt: Date | null
}

/** Counts with the index `Peck_due_idx`. */
async function countPending(): Promise<number> {
  const [row] = await db().rows<{ pending: number }>`
    SELECT count(*)::int AS "pending" FROM (
      SELECT 1 FROM "Peck" WHERE ("status" = 'pending') AND ("pendingKey" IS NOT NULL) ORDER BY "expiresAt" LIMIT ${countedMax}::int) p`
  return row?.pending ?? 0
}

async function countConnections(now: Date): Promise<number> {
  const [row] = await db().rows<{ connections: number }>`
    SELECT count(*)::int AS "connections" FROM (
      SELECT 1 FROM "Connection" c JOIN "BeakKey" k ON k."activeFor" = c."agentId"
      WHERE k."expiresAt" > ${now}::timestamptz LIMIT ${countedMax}::int) x`
  return row?.connections ?? 0
}

/** Returns when the newest backup was made with the command of the operator, or null. */
export async function findLastBackup(): Promise<Date | null> {
  const last = await db().operatorAction.findFirst({
    where: { command: { startsWith: 'backup ' }, succeeded: true },
    orderBy: { id: 'desc' },
  })
  return last?.startedAt ?? null
}

async function read(now: Date): Promise<HostFacts> {
  await openDatabase()
  const [queues, log, witnesses, pendingPecks, connections, backupAt] = await Promise.all([
    readQueues(now),
    readLogLag(now),
    readWitnesses(now),
    countPending(),
    countConnections(now),
    findLastBackup(),
  ])
  return { queues, log, witnesses, pendingPecks, connections, backupAt }
}

/** Returns the facts, at most ten seconds old, or null when the database does not answer. That is remembered, too. */
export function findHostFacts(now: Date): Promise<HostFacts | null> {
  return cached('host-facts', cacheSeconds, now, () =>
    withTimeout(timeoutSeconds, read(now)).catch(() => null),
  )
}
