/**
 * A mark outside of the database: a file in `DATA_DIR` that names the newest events that this instance has seen (contract E, An older
 * database). It shows at the next start whether the database is older than it was.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import { readIfThere, replaceFile } from '@/lib/kernel/durable-file'
import { firstIdAt } from '@/lib/kernel/ids'

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
export async function findNewestTime(): Promise<Date | null> {
  const [newest] = await db().rows<{ at: Date }>`
    SELECT "occurredAt" AS "at" FROM "AuditEvent" ORDER BY "id" DESC LIMIT 1`
  return newest?.at ?? null
}

/** Adds the newest event to a list, or the time when it was the newest one again. Drops what is too old to matter. */
export function withNewest(seen: Seen[], newest: Seen): Seen[] {
  const oldest = secondsAfter(new Date(newest.until), -keptSeconds)
  const earlier = seen.filter(
    ({ id, until }, index) => id !== newest.id && (index === 0 || new Date(until) > oldest),
  )
  return [newest, ...earlier]
}

export const writeMark = (path: string, seen: Seen[]): Promise<void> =>
  replaceFile(path, JSON.stringify(seen))

export interface Gap {
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
export function isShort({ from, until }: Gap): boolean {
  return from !== null && until < secondsAfter(from, gapSecondsMax)
}
