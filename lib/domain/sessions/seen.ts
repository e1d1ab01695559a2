/**
 * Records when sessions, agents and keys were last used, so that authentication never waits for a write. Times are recorded in
 * memory. The worker writes them every few seconds, one statement for each table, and each row at most once a minute. An entry that is
 * written and not used again is forgotten after a minute.
 */
import { db } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { singleton } from '@/lib/kernel/singleton'

type SeenKind = 'session' | 'agent' | 'key'

interface Seen {
  at: Date
  /** The time that was written last. */
  writtenAt: Date | null
}

/** Milliseconds between two writes of one row. */
const writePause = 60_000
const entriesMax = 50_000
const seen = () =>
  singleton('seen', () => ({
    session: new Map<string, Seen>(),
    agent: new Map<string, Seen>(),
    key: new Map<string, Seen>(),
  }))

/** Records a use in memory. */
export function recordSeen(kind: SeenKind, id: string, now: Date): void {
  const known = seen()[kind].get(id)
  if (known) known.at = now
  else seen()[kind].set(id, { at: now, writtenAt: null })
}

/** Returns the last use: the later one of the time in memory and the time in the row (`stored`). */
export function lastSeen(kind: SeenKind, id: string, stored: Date | null): Date | null {
  const at = seen()[kind].get(id)?.at
  return at !== undefined && (stored === null || at > stored) ? at : stored
}

/** Where the times of each kind are stored. */
const places: Record<SeenKind, { table: Sql; column: Sql }> = {
  session: { table: sql`"Session"`, column: sql`"lastSeenAt"` },
  agent: { table: sql`"Agent"`, column: sql`"lastSeenAt"` },
  key: { table: sql`"BeakKey"`, column: sql`"lastUsedAt"` },
}

/** Writes the times that are due. Called by the worker. */
export async function writeSeen(now: Date): Promise<void> {
  for (const kind of ['session', 'agent', 'key'] as const) await writeKind(kind, now)
}

async function writeKind(kind: SeenKind, now: Date): Promise<void> {
  const map = seen()[kind]
  const due = takeDue(map, now)
  if (due.length > 0) {
    const { table, column } = places[kind]
    const [ids, times] = [due.map(({ id }) => id), due.map(({ at }) => at)]
    // Another instance may have written a later use.
    await db().run`
      UPDATE ${table} t SET ${column} = v."at" FROM unnest(${ids}::text[], ${times}::timestamptz[]) AS v ("id", "at")
      WHERE t."id" = v."id" AND (t.${column} IS NULL OR t.${column} < v."at")`
    // Set after the write, so that a failed write is repeated.
    for (const { entry, at } of due) entry.writtenAt = at
  }
  if (map.size > entriesMax) map.clear()
}

/** Returns what is to be written, and forgets what is written and was not used for a minute. */
function takeDue(map: Map<string, Seen>, now: Date): { id: string; entry: Seen; at: Date }[] {
  const due: ReturnType<typeof takeDue> = []
  for (const [id, entry] of map) {
    const { at, writtenAt } = entry
    if (writtenAt !== null && now.getTime() - writtenAt.getTime() < writePause) continue
    if (at === writtenAt) map.delete(id)
    else due.push({ id, entry, at })
  }
  return due
}
