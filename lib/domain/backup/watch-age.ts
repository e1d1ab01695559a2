/**
 * A mark outside of the database: a file in `DATA_DIR` that names the newest events that this instance has seen (contract E, An older
 * database). It shows at the next start whether the database is older than it was.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { duration } from '@beak/decision/duration'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'
import { recordPeck } from '@/lib/domain/pecks/record'
import { readPecks } from '@/lib/domain/pecks/rows'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import { systemActor } from '@/lib/infrastructure/events/record'
import { config } from '@/lib/kernel/config'
import { systemContext } from '@/lib/kernel/request/context'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { readIfThere, replaceFile } from '@/lib/kernel/runtime/durable-file'
import { log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { firstIdAt } from '@/lib/kernel/secrets/ids'
import { operatorCommand } from '@/lib/kernel/service/release'
import { StartProblem } from '@/lib/kernel/service/start-problem'
import { isTestService } from '@/lib/kernel/service/test-service'

const Seen = z.object({
  id: z.string(),
  hash: z.string(),
  /** Until when it was the newest event. */
  until: z.iso.datetime(),
})
/** An event that was the newest one. */
export type Seen = z.infer<typeof Seen>

/** The newest first. */
const Marks = z.array(Seen).min(1)

/** A gap of this length, as after a power cut or a failover, does not stop the start. */
const gapSecondsMax = 5 * minute
const keptSeconds = 2 * gapSecondsMax

/**
 * Returns the file of the mark, or null while the database has no event. The name has the end of the first event, which another database
 * does not have and a restored one has, so the mark of another database is never compared with this one.
 */
export async function findMarkPath(): Promise<string | null> {
  const [first] = await db().rows<{ id: string }>`SELECT "id" FROM "AuditEvent" ORDER BY "id" LIMIT 1`
  return first === undefined
    ? null
    : join(config().dataDir, `newest-event-${first.id.slice(-12).toLowerCase()}`)
}

/** Whether there is a folder for the mark. With PostgreSQL, `DATA_DIR` may be missing. */
export function hasMarkFolder(): boolean {
  return existsSync(config().dataDir)
}

/** Returns the content of the mark, or null when there is none or nobody can read it. */
export async function readMark(path: string): Promise<Seen[] | null> {
  try {
    return Marks.parse(JSON.parse(String(await readIfThere(path))))
  } catch {
    return null
  }
}

/** Returns the newest event, or null. Leaves out events that an instance with a wrong clock has dated in the future. */
export async function findNewest(now: Date): Promise<Seen | null> {
  const [newest] = await db().rows<{ id: string; hash: string }>`
    SELECT "id", "hash" FROM "AuditEvent" WHERE "id" < ${firstIdAt('event', secondsAfter(now, minute))} ORDER BY "id" DESC LIMIT 1`
  return newest === undefined ? null : { ...newest, until: now.toISOString() }
}

/** Returns when the newest event of the database happened, or null. */
async function findNewestTime(): Promise<Date | null> {
  const [newest] = await db().rows<{ at: Date }>`
    SELECT "occurredAt" AS "at" FROM "AuditEvent" ORDER BY "id" DESC LIMIT 1`
  return newest?.at ?? null
}

/** Adds the newest event to a list, or the time when it was the newest one again. Drops what is too old to matter. */
function withNewest(seen: Seen[], newest: Seen): Seen[] {
  const oldest = secondsAfter(new Date(newest.until), -keptSeconds)
  const earlier = seen.filter(
    ({ id, until }, index) => id !== newest.id && (index === 0 || new Date(until) > oldest),
  )
  return [newest, ...earlier]
}

const writeMark = (path: string, seen: Seen[]): Promise<void> => replaceFile(path, JSON.stringify(seen))

interface Gap {
  /** What the database lacks happened between these times. */
  from: Date | null
  until: Date
}

/** Returns when a command has ended what is too old in this database, or null. */
async function findRestored(): Promise<Date | null> {
  const [found] = await db().rows<{ at: Date | null }>`
    SELECT max("startedAt") AS "at" FROM "OperatorAction"
    WHERE "succeeded" AND ("command" LIKE 'restore of %' OR "command" LIKE 'restored %--yes%')`
  return found?.at ?? null
}

/**
 * Returns what the database lacks of the events that were seen, or null when it has the newest one. `from` is null when it has none of
 * them. An event with another hash is another event: then the database went on from an older state.
 */
export async function findGap(seen: Seen[]): Promise<Gap | null> {
  const [newest] = seen
  if (newest === undefined) return null
  const rows = await db().rows<{ id: string; hash: string }>`
    SELECT "id", "hash" FROM "AuditEvent" WHERE "id" = ANY(${seen.map(({ id }) => id)}::text[])`
  const hashes = new Map(rows.map(({ id, hash }) => [id, hash]))
  const last = seen.find(({ id, hash }) => hashes.get(id) === hash)
  if (last === newest) return null
  const until = new Date(newest.until)
  const restored = await findRestored()
  if (restored !== null && restored > until) return null
  return { from: last === undefined ? null : new Date(last.until), until }
}

/** Whether a gap is short enough that the service may go on once its permissions have ended. */
function isShort({ from, until }: Gap): boolean {
  return from !== null && until < secondsAfter(from, gapSecondsMax)
}

const batch = 200

/**
 * Revokes every permission that was given until then and can still be used: a use or a revocation of it may be lost. Uses by rules do not go
 * back, because they may have happened. Returns the number. A second call changes nothing.
 */
export async function endGap(until: Date, now: Date): Promise<number> {
  for (let total = 0; ; ) {
    const count = await transaction(async (tx) => {
      const revoked = await readPecks(
        tx,
        sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
          WHERE "id" IN (
            SELECT "id" FROM "Peck" WHERE ${isActiveGrant(now)} AND "decidedAt" <= ${until}::timestamptz
            ORDER BY "id" LIMIT ${batch} FOR NO KEY UPDATE)
          RETURNING *`,
      )
      const ids = revoked.map(({ id }) => id)
      if (ids.length > 0)
        await tx.run`UPDATE "RuleUse" SET "state" = 'spent' WHERE "peckId" = ANY(${ids}::text[]) AND "state" = 'reserved'`
      for (const peck of revoked)
        recordPeck(tx, systemContext(now), 'peck.revoked', peck, {
          actor: systemActor,
          cause: 'restored',
          metadata: enqueueRevocation(tx, peck, now),
        })
      return ids.length
    })
    total += count
    if (count < batch) return total
  }
}

/** Compares the database with the mark outside of it: at the start, and once a minute (contract E, An older database). */

const state = () => singleton('newest-event', () => ({ seen: null as Seen[] | null, canWrite: true }))

/** Returns what is wrong with a database that is older than its mark, and what to do. */
export async function describeGap({ from, until }: Gap, path: string): Promise<string> {
  const since = (from ?? (await findNewestTime()) ?? until).toISOString()
  return `The database is older than it was: ${path} names the newest event that this instance has seen, and the database lacks what happened between ${since} and ${until.toISOString()}. Permissions that were used or revoked since could be used again. If the database was put back from a copy, stop every instance, run \`${operatorCommand(`restored --as-of ${since} --yes`)}\`, which ends what is too old, and start again. If this is the wrong copy, put the right one back.`
}

/** Ends what may have been used in a short gap. Throws `StartProblem` for a longer one. */
async function settle(gap: Gap, path: string, now: Date): Promise<void> {
  const { from, until } = gap
  if (from === null || !isShort(gap)) throw new StartProblem(await describeGap(gap, path))
  const ended = await endGap(until, now)
  log().warn(
    { from, until, ended },
    `The database lacks what happened in ${duration(Math.max(1, Math.round((until.getTime() - from.getTime()) / 1000)))}, as after a power cut or a failover. Permissions that could have been used or revoked in that time were ended. Everything else of that time is lost.`,
  )
}

/** Adds the newest event to the mark. A folder that cannot be written is said once. */
async function note(path: string, now: Date): Promise<void> {
  const current = state()
  const newest = await findNewest(now)
  if (newest === null) return
  const seen = current.seen ?? []
  const isNews = seen[0]?.id !== newest.id
  current.seen = withNewest(seen, newest)
  if (!isNews || !hasMarkFolder()) return
  try {
    await writeMark(path, current.seen)
    current.canWrite = true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Another process of this folder writes the same mark at this moment.
    if (code === 'EEXIST' || code === 'ENOENT') return
    if (current.canWrite)
      log().warn(
        `${path} cannot be written (${code}), so the next start cannot find out whether the database was put back from an older copy. Let the user of this process write to ${config().dataDir}.`,
      )
    current.canWrite = false
  }
}

/** Compares the database with what was seen, and adds the newest event. Throws `StartProblem` when a gap is too long. */
async function compare(path: string, now: Date): Promise<void> {
  const current = state()
  current.seen ??= (await readMark(path)) ?? []
  const gap = await findGap(current.seen)
  if (gap !== null) {
    await settle(gap, path, now)
    current.seen = []
  }
  await note(path, now)
}

/**
 * Compares the database with the mark of this instance, before the instance serves. After a short gap it ends the permissions that could have
 * been used meanwhile. Throws `StartProblem` when the database is older by five minutes or more.
 */
export async function requireNewestEvent(now: Date): Promise<void> {
  const path = isTestService() ? null : await findMarkPath()
  if (path === null) return
  await compare(path, now)
}

/** Does the same once a minute, for a database that fails over to an older one. `stop` ends the instance when the gap is too long. */
export async function watchNewestEvent(
  now: Date,
  stop = (): void => void process.kill(process.pid, 'SIGTERM'),
): Promise<void> {
  const path = isTestService() ? null : await findMarkPath()
  if (path === null) return
  try {
    await compare(path, now)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    log().error(error.message)
    stop()
  }
}
