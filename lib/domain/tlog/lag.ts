/** What the transparency log and its witnesses have not done yet, for the host. */
import { db } from '@/lib/db/client'
import { config } from '@/lib/kernel/config'
import { minute } from '@/lib/kernel/runtime/clock'
import { originSql } from './origin'

/** Entries are counted up to this number. */
const countedMax = 10_000
/** How many chains are looked at for the oldest event. While the log stands still, these wait too. */
const chainsMax = 100

/** A working log takes everything within a minute. */
export const lateLogSeconds = 5 * minute

export interface LogLag {
  /** Chains and single entries that wait for the log, at most 10,000 of each. */
  entries: number
  /** Seconds since the oldest of them was made. 0 when none waits. */
  seconds: number
}

/** Returns what waits for the transparency log. A working log takes everything within a minute (contract F, Transparency log). */
export async function readLogLag(now: Date): Promise<LogLag> {
  const [row] = await db().rows<{
    chains: number
    single: number
    oldest: Date | null
    signedAt: Date | null
  }>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT 1 FROM "AuditChain" WHERE "logPending" ORDER BY "ducklingId" LIMIT ${countedMax}::int) c) AS "chains",
      (SELECT count(*)::int FROM (
        (SELECT 1 FROM "LogPending" ORDER BY "id" LIMIT ${countedMax}::int)
        UNION ALL (SELECT 1 FROM "LogQueue" ORDER BY "id" LIMIT ${countedMax}::int) LIMIT ${countedMax}::int) p) AS "single",
      (SELECT min(event."occurredAt") FROM (
        SELECT "ducklingId" FROM "AuditChain" WHERE "logPending" ORDER BY "ducklingId" LIMIT ${chainsMax}::int) chain
        CROSS JOIN LATERAL (
          SELECT "occurredAt" FROM "AuditEvent" e WHERE e."ducklingId" = chain."ducklingId" AND e."seq" > COALESCE((
            SELECT l."seq" FROM "LogEntry" l WHERE l."ducklingId" = chain."ducklingId" AND l."seq" IS NOT NULL
            ORDER BY l."seq" DESC LIMIT 1), 0)
          ORDER BY e."seq" LIMIT 1) event) AS "oldest",
      (SELECT c."createdAt" FROM (SELECT ${originSql()} AS "origin") n JOIN "LogCheckpoint" c ON c."origin" = n."origin"
        ORDER BY c."size" DESC LIMIT 1) AS "signedAt"`
  const { chains = 0, single = 0, oldest = null, signedAt = null } = row ?? {}
  // Nothing waits for longer than since the newest checkpoint. A single entry has no time of its own.
  const since = Math.max(...[oldest, signedAt].map((time) => time?.getTime() ?? -Infinity))
  const isWaiting = chains + single > 0 && Number.isFinite(since)
  return { entries: chains + single, seconds: isWaiting ? Math.max(0, (now.getTime() - since) / 1000) : 0 }
}

export interface WitnessState {
  /** The name in its verifier key. */
  name: string
  url: string
  /** The size that it cosigned last. */
  size: number
  /** Seconds since the first checkpoint that it has not cosigned. 0 when it has cosigned all. */
  behindSeconds: number
  /** Seconds since its newest cosignature that is stored here. Null without one. */
  ageSeconds: number | null
}

/** Returns the state of each configured witness. */
export async function readWitnesses(now: Date): Promise<WitnessState[]> {
  const { tlogWitnesses } = config()
  if (tlogWitnesses.length === 0) return []
  const rows = await db().rows<{
    witness: string
    size: number
    behindSince: Date | null
    cosignedAt: Date | null
  }>`
    SELECT own."witness", own."size"::float AS "size",
      (SELECT c."createdAt" FROM "LogCheckpoint" c WHERE c."origin" = own."origin" AND c."size" > own."size"
        ORDER BY c."size" LIMIT 1) AS "behindSince",
      (SELECT s."createdAt" FROM "LogCosignature" s
        WHERE s."origin" = own."origin" AND s."size" = own."size" AND s."witness" = own."witness") AS "cosignedAt"
    FROM (
      SELECT wanted."witness", n."origin", COALESCE(w."size", 0) AS "size"
      FROM unnest(${tlogWitnesses.map(({ vkey }) => vkey)}::text[]) AS wanted ("witness")
      CROSS JOIN (SELECT ${originSql()} AS "origin") n
      LEFT JOIN "LogWitness" w ON w."witness" = wanted."witness" AND w."origin" = n."origin") own`
  const secondsSince = (time: Date) => Math.max(0, (now.getTime() - time.getTime()) / 1000)
  return tlogWitnesses.map(({ vkey, key, url }) => {
    const {
      size = 0,
      behindSince = null,
      cosignedAt = null,
    } = rows.find(({ witness }) => witness === vkey) ?? {}
    return {
      name: key.name,
      url,
      size,
      behindSeconds: behindSince === null ? 0 : secondsSince(behindSince),
      ageSeconds: cosignedAt === null ? null : secondsSince(cosignedAt),
    }
  })
}
